// Package boost evaluates gradient-boosted decision trees: a sum of small
// trees whose logistic is a probability (J. H. Friedman, Greedy Function
// Approximation: A Gradient Boosting Machine, 2001). It knows nothing of what
// its features mean.
package boost

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Model is a trained ensemble. Features are numbered from 0.
type Model struct {
	Bias  float32
	Trees []Tree
}

// Tree is a binary tree in preorder: the left child of an inner node is the
// node after it.
type Tree []Node

// Node is a leaf when Right is 0; then Value is added to the sum. An inner
// node sends a row left when its feature is at most Value, else to Right.
type Node struct {
	Value   float32
	Feature uint16
	Right   uint16
}

// Predict returns the probability of the positive class for one row of
// features.
func (m *Model) Predict(row []float32) float32 {
	sum := m.Bias
	for _, t := range m.Trees {
		i := uint16(0)
		for t[i].Right != 0 {
			if row[t[i].Feature] <= t[i].Value {
				i++
			} else {
				i = t[i].Right
			}
		}
		sum += t[i].Value
	}
	return float32(1 / (1 + math.Exp(-float64(sum))))
}

// AppendBinary appends the model's encoding: bias and number of trees, then
// each tree's nodes in preorder, a leaf as feature 0xffff with its value.
func (m *Model) AppendBinary(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(m.Bias))
	b = binary.AppendUvarint(b, uint64(len(m.Trees)))
	for _, t := range m.Trees {
		for _, n := range t {
			feature := n.Feature
			if n.Right == 0 {
				feature = leaf
			}
			b = binary.LittleEndian.AppendUint16(b, feature)
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(n.Value))
		}
	}
	return b
}

const leaf = 0xffff

// maxNodes bounds the nodes of one tree when decoding.
const maxNodes = 1 << 12

// Decode reads a model as AppendBinary wrote it.
func Decode(r *bytes.Reader) (*Model, error) {
	var bias uint32
	if err := binary.Read(r, binary.LittleEndian, &bias); err != nil {
		return nil, fmt.Errorf("read bias: %w", err)
	}
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, fmt.Errorf("read number of trees: %w", err)
	}
	if n > uint64(r.Len()) {
		return nil, errors.New("more trees than bytes")
	}
	m := &Model{Bias: math.Float32frombits(bias), Trees: make([]Tree, n)}
	for i := range m.Trees {
		if err := m.Trees[i].decode(r); err != nil {
			return nil, fmt.Errorf("read tree %d: %w", i, err)
		}
	}
	return m, nil
}

func (t *Tree) decode(r *bytes.Reader) error {
	var b [6]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return err
	}
	if len(*t) >= maxNodes {
		return errors.New("tree too large")
	}
	i := len(*t)
	n := Node{Feature: binary.LittleEndian.Uint16(b[:]), Value: math.Float32frombits(binary.LittleEndian.Uint32(b[2:]))}
	*t = append(*t, n)
	if n.Feature == leaf {
		(*t)[i].Feature = 0
		return nil
	}
	if err := t.decode(r); err != nil {
		return err
	}
	(*t)[i].Right = uint16(len(*t))
	return t.decode(r)
}
