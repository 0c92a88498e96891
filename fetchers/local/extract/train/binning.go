package main

import "slices"

// maxBins is how many values of a feature a split can tell apart.
const maxBins = 64

// binned holds the examples with the values of each feature as numbers of bins:
// bin k holds the values up to cuts[k], the last one the rest. A feature that
// nearly always falls into one bin is kept as the examples where it does not.
type binned struct {
	cuts   [][]float32 // by feature
	offset []int       // of each feature's bins in a histogram
	bins   int         // of all features

	dense  [][]uint8 // by feature, then by example; nil where sparse
	usual  []uint8   // the usual bin of a sparse feature
	sparse [][]entry // by example: the features that are not in their usual bin
}

type entry struct {
	feature uint16
	bin     uint8
}

// sparseShare is the share of the examples in one bin from which a feature is
// kept as sparse.
const sparseShare = 0.9

// tileRows is how many rows are read feature by feature while the cache holds
// them.
const tileRows = 128

func binExamples(rows [][]float32) *binned {
	n, features := len(rows), len(rows[0])
	b := &binned{
		cuts: make([][]float32, features), offset: make([]int, features),
		dense: make([][]uint8, features), usual: make([]uint8, features), sparse: make([][]entry, n),
	}
	columns, counts := make([][]uint8, features), make([][]int, features)
	for f := range features {
		cuts := cutsOf(rows, f)
		b.cuts[f], b.offset[f] = cuts, b.bins
		b.bins += len(cuts) + 1
		columns[f], counts[f] = make([]uint8, n), make([]int, len(cuts)+1)
	}
	for start := 0; start < n; start += tileRows {
		tile := rows[start:min(n, start+tileRows)]
		for f, cuts := range b.cuts {
			for k, row := range tile {
				bin, _ := slices.BinarySearch(cuts, row[f])
				columns[f][start+k] = uint8(bin)
				counts[f][bin]++
			}
		}
	}
	for f, column := range columns {
		most := slices.Max(counts[f])
		if float64(most) < sparseShare*float64(n) {
			b.dense[f] = column
			continue
		}
		b.usual[f] = uint8(slices.Index(counts[f], most))
		for i, bin := range column {
			if bin != b.usual[f] {
				b.sparse[i] = append(b.sparse[i], entry{uint16(f), bin})
			}
		}
	}
	return b
}

// maxSample is from how many examples the cuts of a feature are taken.
const maxSample = 20000

// cutsOf are the borders between the bins of a feature: between all its values
// when they are few, else at its quantiles.
func cutsOf(rows [][]float32, f int) []float32 {
	var sample []float32
	for i := 0; i < len(rows); i += max(1, len(rows)/maxSample) {
		sample = append(sample, rows[i][f])
	}
	slices.Sort(sample)
	values := slices.Compact(slices.Clone(sample))
	var cuts []float32
	if len(values) <= maxBins {
		for k := 1; k < len(values); k++ {
			cuts = append(cuts, (values[k-1]+values[k])/2)
		}
		return cuts
	}
	for k := 1; k < maxBins; k++ {
		if q := sample[k*(len(sample)-1)/maxBins]; len(cuts) == 0 || q > cuts[len(cuts)-1] {
			cuts = append(cuts, q)
		}
	}
	return cuts
}

// bin is the bin of an example's feature.
func (b *binned) bin(f int, example int32) uint8 {
	if column := b.dense[f]; column != nil {
		return column[example]
	}
	for _, e := range b.sparse[example] {
		if int(e.feature) == f {
			return e.bin
		}
	}
	return b.usual[f]
}
