package boost

import (
	"bytes"
	"math"
	"reflect"
	"testing"
)

// A tree that asks for feature 1, then on the left for feature 0, and one that
// is a leaf.
var model = &Model{
	Bias: -0.5,
	Trees: []Tree{
		{{Feature: 1, Value: 2, Right: 4}, {Feature: 0, Value: 0.5, Right: 3}, {Value: 1}, {Value: 2}, {Value: 4}},
		{{Value: 0.25}},
	},
}

func TestPredict(t *testing.T) {
	for _, c := range []struct {
		row []float32
		sum float64
	}{
		{[]float32{0.5, 2}, 1 - 0.25}, // a value on the threshold goes left
		{[]float32{0.6, 2}, 2 - 0.25},
		{[]float32{0.5, 2.1}, 4 - 0.25},
	} {
		if got, want := model.Predict(c.row), 1/(1+math.Exp(-c.sum)); math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("Predict(%v) = %v, want %v", c.row, got, want)
		}
	}
}

func TestDecodeReadsWhatAppendBinaryWrote(t *testing.T) {
	b := model.AppendBinary(nil)
	got, err := Decode(bytes.NewReader(append(b, 7)))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, model) {
		t.Errorf("got %+v, want %+v", got, model)
	}
	for n := range b {
		if _, err := Decode(bytes.NewReader(b[:n])); err == nil {
			t.Errorf("no error for the first %d of %d bytes", n, len(b))
		}
	}
}

func TestDecodeRefusesATreeWithoutLeaves(t *testing.T) {
	b := (&Model{Trees: []Tree{{{Feature: 1, Right: 1}}}}).AppendBinary(nil)
	b = append(b, bytes.Repeat(b[len(b)-6:], maxNodes)...)
	if _, err := Decode(bytes.NewReader(b)); err == nil {
		t.Error("no error")
	}
}
