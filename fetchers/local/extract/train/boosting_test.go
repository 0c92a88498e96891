package main

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// noisy are examples whose label is the exclusive or of two of five features,
// one in twenty of them wrong; the last feature is nearly always 0.
func noisy(n int, seed uint64) examples {
	rng := rand.New(rand.NewPCG(seed, 0))
	var e examples
	for range n {
		row := []float32{rng.Float32(), rng.Float32(), rng.Float32(), float32(rng.IntN(3)), 0}
		if rng.IntN(20) == 0 {
			row[4] = 1
		}
		label := float32(0)
		if (row[0] > 0.5) != (row[2] > 0.3) {
			label = 1
		}
		if rng.IntN(20) == 0 {
			label = 1 - label
		}
		e.rows, e.label, e.weight = append(e.rows, row), append(e.label, label), append(e.weight, 1)
	}
	return e
}

var small = boosting{trees: 40, leaves: 6, rate: 0.3, lambda: 1, minWeight: 1, columns: 0.8, rows: 0.8, seed: 1}

func TestTrainLearnsAnInteraction(t *testing.T) {
	m := small.train(noisy(4000, 1))
	fresh := noisy(2000, 2)
	right := 0
	for i, row := range fresh.rows {
		if (m.Predict(row) > 0.5) == (fresh.label[i] > 0.5) {
			right++
		}
	}
	if share := float64(right) / float64(len(fresh.rows)); share < 0.93 { // 0.95 is the most there is
		t.Errorf("%.3f of new examples right", share)
	}
}

func TestTrainWeighsExamples(t *testing.T) {
	e := noisy(2000, 3)
	for i, row := range e.rows {
		e.label[i] = 0
		if row[3] == 2 {
			e.label[i] = float32(i % 2) // both, but the ones count for nothing
			if e.label[i] == 1 {
				e.weight[i] = 0
			}
		}
	}
	e.label[0], e.weight[0] = 1, 1 // a model needs both classes
	m := small.train(e)
	if p := m.Predict([]float32{0.5, 0.5, 0.5, 2, 0}); p > 0.05 {
		t.Errorf("probability %.3f from examples of weight 0", p)
	}
}

func TestTrainIsRepeatable(t *testing.T) {
	a := small.train(noisy(1000, 4)).AppendBinary(nil)
	b := small.train(noisy(1000, 4)).AppendBinary(nil)
	if !bytes.Equal(a, b) {
		t.Error("two models of the same examples differ")
	}
	other := small
	other.seed = 2
	if bytes.Equal(a, other.train(noisy(1000, 4)).AppendBinary(nil)) {
		t.Error("the seed changes nothing")
	}
}
