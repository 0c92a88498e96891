package extract

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/html"

	"pifetch/fetchers/local/extract/boost"
)

// Classifier gives each text block of a page the probability that it is main
// content. The first pass judges a block by itself and its surroundings in the
// page, the second by what the first found around it.
type Classifier struct {
	First, Second *boost.Model
}

//go:embed weights.bin
var weightsFile []byte

// Embedded is the classifier Extract uses.
var Embedded = sync.OnceValue(func() *Classifier {
	c, err := DecodeClassifier(weightsFile)
	if err != nil {
		panic(fmt.Sprintf("embedded weights: %v: run make train", err))
	}
	return c
})

// featureHash guards weights against features they were not made for.
func featureHash() uint32 {
	h := fnv.New32a()
	_, _ = io.WriteString(h, strings.Join(featureNames(), "\n"))
	return h.Sum32()
}

// Encode returns the classifier as a gzip stream of the hash of the feature
// list and the two models.
func (c *Classifier) Encode() ([]byte, error) {
	raw := binary.LittleEndian.AppendUint32(nil, featureHash())
	raw = c.Second.AppendBinary(c.First.AppendBinary(raw))
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(raw); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// DecodeClassifier reads what Encode wrote. It is an error when the feature
// list has changed since.
func DecodeClassifier(b []byte) (*Classifier, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	if len(raw) < 4 || binary.LittleEndian.Uint32(raw) != featureHash() {
		return nil, errors.New("made for another list of features")
	}
	r := bytes.NewReader(raw[4:])
	c := &Classifier{}
	for _, m := range []**boost.Model{&c.First, &c.Second} {
		if *m, err = boost.Decode(r); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// probabilities runs both passes over the blocks of a page.
func (c *Classifier) probabilities(p *features) []float32 {
	v := vector{values: make([]float32, 0, 1024)}
	first := make([]float32, len(p.blocks))
	for i := range first {
		v.values = v.values[:0]
		p.first(i, &v)
		first[i] = c.First.Predict(v.values)
	}
	s := p.surroundings(first)
	second := make([]float32, len(p.blocks))
	for i := range second {
		v.values = v.values[:0]
		s.second(i, &v)
		second[i] = c.Second.Predict(v.values)
	}
	return second
}

// featureNames are the names of the features of both passes, in their order.
func featureNames() []string {
	var names []string
	v := vector{names: &names}
	p := (&document{base: &url.URL{}}).features([]*textBlock{{region: &region{node: &html.Node{}}, inner: &region{node: &html.Node{}}}}, &metadata{})
	p.first(0, &v)
	names = append(names, "second pass")
	p.surroundings([]float32{0}).second(0, &v)
	return names
}
