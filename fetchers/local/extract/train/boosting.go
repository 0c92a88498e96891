package main

import (
	"math"
	"math/rand/v2"

	"pifetch/fetchers/local/extract/boost"
)

// examples is what a model is trained on: features, a label in 0..1 and a weight
// for each.
type examples struct {
	rows   [][]float32
	label  []float32
	weight []float32
}

// boosting are the parameters of the training.
type boosting struct {
	trees, leaves int     // leaves of one tree
	rate          float64 // of a tree's contribution
	lambda        float64 // L2 regularisation of leaf values
	minWeight     float64 // least sum of second derivatives in a leaf
	columns       float64 // share of the features each tree sees
	rows          float64 // share of the examples each tree sees
	seed          uint64
}

// train fits the logistic loss, tree by tree. The same examples and parameters
// give the same model.
func (p boosting) train(e examples) *boost.Model {
	ones, zeros := 1.0, 1.0 // so that a single class gives a finite bias
	for i := range e.label {
		ones += float64(e.label[i] * e.weight[i])
		zeros += float64((1 - e.label[i]) * e.weight[i])
	}
	m := &boost.Model{Bias: float32(math.Log(ones / zeros))}
	if len(e.rows) == 0 {
		return m
	}
	n := len(e.rows)
	t := &grower{boosting: p, binned: binExamples(e.rows), g: make([]float32, n), h: make([]float32, n), use: make([]bool, len(e.rows[0]))}
	score := make([]float32, n)
	for i := range score {
		score[i] = m.Bias
	}
	rng := rand.New(rand.NewPCG(p.seed, 0))
	for range p.trees {
		for i, s := range score {
			q := 1 / (1 + math.Exp(-float64(s)))
			t.g[i] = e.weight[i] * float32(q-float64(e.label[i]))
			t.h[i] = e.weight[i] * float32(q*(1-q))
		}
		for f := range t.use {
			t.use[f] = rng.Float64() < p.columns
		}
		var sample []int32
		for i := range n {
			if rng.Float64() < p.rows {
				sample = append(sample, int32(i))
			}
		}
		root := t.grow(sample)
		for i := range score {
			score[i] += t.value(root, int32(i))
		}
		m.Trees = append(m.Trees, t.flatten(root, nil))
	}
	return m
}

// grower grows one tree after the other on the same examples.
type grower struct {
	boosting
	*binned
	g, h []float32 // first and second derivative of the loss, by example
	use  []bool    // the features this tree sees

	free     [][]sums  // histograms to use again
	ofG, ofH []float32 // the derivatives of the examples of a histogram
}

// sums are of first and second derivatives.
type sums struct{ g, h float64 }

func (s *sums) add(g, h float32) {
	s.g += float64(g)
	s.h += float64(h)
}

func (s sums) minus(o sums) sums { return sums{s.g - o.g, s.h - o.h} }

// node is part of a tree under construction.
type node struct {
	feature, cut int
	left, right  *node // nil in a leaf
	value        float32
}

// leaf is a leaf of a growing tree and its best split.
type leaf struct {
	*node
	examples []int32
	total    sums
	hist     []sums

	gain          float64 // of the best split, 0 without one
	atFeature, at int     // that split
}

// grow splits the leaf with the highest gain until there are enough. The
// histogram of the larger half of a split is that of the whole minus that of
// the smaller.
func (t *grower) grow(examples []int32) *node {
	first := &leaf{node: &node{}, examples: examples, hist: t.histogram(examples)}
	for _, i := range examples {
		first.total.add(t.g[i], t.h[i])
	}
	t.findSplit(first)
	leaves := []*leaf{first}
	for len(leaves) < t.leaves {
		best := 0
		for k, l := range leaves {
			if l.gain > leaves[best].gain {
				best = k
			}
		}
		l := leaves[best]
		if l.gain == 0 {
			break
		}
		left, right := t.split(l)
		leaves[best] = left
		leaves = append(leaves, right)
	}
	for _, l := range leaves {
		l.value = float32(-t.rate * l.total.g / (l.total.h + t.lambda))
		t.free = append(t.free, l.hist)
	}
	return first.node
}

func (t *grower) split(l *leaf) (left, right *leaf) {
	l.feature, l.cut = l.atFeature, l.at
	l.left, l.right = &node{}, &node{}
	left, right = &leaf{node: l.left}, &leaf{node: l.right}
	for _, i := range l.examples {
		if int(t.bin(l.feature, i)) <= l.cut {
			left.examples = append(left.examples, i)
		} else {
			right.examples = append(right.examples, i)
		}
	}
	for _, s := range l.hist[t.offset[l.feature]:][:l.cut+1] {
		left.total.g += s.g
		left.total.h += s.h
	}
	right.total = l.total.minus(left.total)
	small, large := left, right
	if len(left.examples) > len(right.examples) {
		small, large = right, left
	}
	small.hist, large.hist = t.histogram(small.examples), l.hist
	for k, s := range small.hist {
		large.hist[k] = large.hist[k].minus(s)
	}
	t.findSplit(left)
	t.findSplit(right)
	return left, right
}

// histogram sums the derivatives of the examples by feature and bin.
func (t *grower) histogram(examples []int32) []sums {
	var hist []sums
	if k := len(t.free) - 1; k >= 0 {
		hist, t.free = t.free[k], t.free[:k]
		clear(hist)
	} else {
		hist = make([]sums, t.bins)
	}
	g, h := t.ofG[:0], t.ofH[:0]
	var total sums
	for _, i := range examples {
		g, h = append(g, t.g[i]), append(h, t.h[i])
		total.add(t.g[i], t.h[i])
		for _, e := range t.sparse[i] {
			hist[t.offset[e.feature]+int(e.bin)].add(t.g[i], t.h[i])
		}
	}
	t.ofG, t.ofH = g, h
	for f, column := range t.dense {
		bins := hist[t.offset[f]:][:len(t.cuts[f])+1]
		switch {
		case !t.use[f]:
		case column == nil:
			rest := total
			for _, s := range bins {
				rest = rest.minus(s)
			}
			bins[t.usual[f]] = rest
		default:
			for k, i := range examples {
				bins[column[i]].add(g[k], h[k])
			}
		}
	}
	return hist
}

// minGain is the gain below which a split is not worth its nodes.
const minGain = 1e-6

func (t *grower) findSplit(l *leaf) {
	score := func(s sums) float64 { return s.g * s.g / (s.h + t.lambda) }
	best := minGain
	for f, cuts := range t.cuts {
		if !t.use[f] {
			continue
		}
		var left sums
		for k := range cuts {
			s := l.hist[t.offset[f]+k]
			left.g += s.g
			left.h += s.h
			right := l.total.minus(left)
			if left.h < t.minWeight || right.h < t.minWeight {
				continue
			}
			if gain := score(left) + score(right) - score(l.total); gain > best {
				best = gain
				l.gain, l.atFeature, l.at = gain, f, k
			}
		}
	}
}

// value is what a tree adds to the score of an example.
func (t *grower) value(n *node, example int32) float32 {
	for n.left != nil {
		if int(t.bin(n.feature, example)) <= n.cut {
			n = n.left
		} else {
			n = n.right
		}
	}
	return n.value
}

// flatten appends a tree in the form of the model.
func (t *grower) flatten(n *node, tree boost.Tree) boost.Tree {
	at := len(tree)
	if n.left == nil {
		return append(tree, boost.Node{Value: n.value})
	}
	tree = append(tree, boost.Node{Feature: uint16(n.feature), Value: t.cuts[n.feature][n.cut]})
	tree = t.flatten(n.left, tree)
	tree[at].Right = uint16(len(tree))
	return t.flatten(n.right, tree)
}
