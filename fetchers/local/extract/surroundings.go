package extract

// mean is a mean weighted by words.
type mean struct{ sum, weight float32 }

func (m *mean) add(p, weight float32) {
	m.sum += p * weight
	m.weight += weight
}

func (m mean) value() float32 {
	if m.weight == 0 {
		return -1
	}
	return m.sum / m.weight
}

// meanOf is the mean of a key, a new one at first.
func meanOf[K comparable](means map[K]*mean, key K) *mean {
	m := means[key]
	if m == nil {
		m = &mean{}
		means[key] = m
	}
	return m
}

// surroundings are the features of the second pass: what the first pass found
// around each block.
type surroundings struct {
	*features
	p      []float32
	region map[*region]*mean
	shape  map[int]*mean
	under  []mean // of the blocks below a heading, up to the next
	upTo   []mean // of the blocks before block i
	best   float32
}

func (f *features) surroundings(p []float32) *surroundings {
	s := &surroundings{features: f, p: p, region: map[*region]*mean{}, shape: map[int]*mean{}, under: make([]mean, len(p)), upTo: make([]mean, len(p)+1)}
	for i, b := range f.blocks {
		w := weightOf(b)
		for g := b.region; g != nil; g = g.parent {
			meanOf(s.region, g).add(p[i], w)
		}
		meanOf(s.shape, b.region.shape).add(p[i], w)
		s.upTo[i+1] = s.upTo[i]
		s.upTo[i+1].add(p[i], w)
		if h := f.heading[i]; h >= 0 {
			s.under[h].add(p[i], w)
		}
		s.best = max(s.best, p[i])
	}
	return s
}

func weightOf(b *textBlock) float32 { return float32(b.words) + 0.1 }

// between is the mean of the blocks from a up to b.
func (s *surroundings) between(a, b int) float32 {
	a, b = max(0, a), min(len(s.p), b)
	if b <= a {
		return -1
	}
	return mean{s.upTo[b].sum - s.upTo[a].sum, s.upTo[b].weight - s.upTo[a].weight}.value()
}

func (s *surroundings) second(i int, v *vector) {
	b := s.blocks[i]
	v.add("p", s.p[i])
	for _, o := range []int{-4, -3, -2, -1, 1, 2, 3, 4} {
		if j := i + o; j >= 0 && j < len(s.p) {
			v.add("p near", s.p[j], logOf(s.blocks[j].words))
		} else {
			v.add("p near", -1, -1)
		}
	}
	g := b.region
	for range 8 {
		if g == nil {
			v.add("p container", -1)
			continue
		}
		v.add("p container", s.region[g].value())
		g = g.parent
	}
	all := s.upTo[len(s.p)]
	v.add("p around", s.shape[b.region.shape].value(), all.value(), s.between(i-5, i), s.between(i+1, i+6), s.between(i-15, i), s.between(i+1, i+16), s.between(0, i), s.between(i+1, len(s.p)))
	if h := s.heading[i]; h >= 0 {
		v.add("p section", s.p[h], s.under[h].value())
	} else {
		v.add("p section", -1, -1)
	}
	v.add("p section", s.under[i].value(), s.best, all.sum)
	s.first(i, v)
}
