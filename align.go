package atomicedit

// A step pairs a line of one list with a line of another.
type step struct{ old, new int }

// A group is a run of removed and added lines between kept ones: old[oldFrom:oldTo] becomes new[newFrom:newTo].
type group struct{ oldFrom, oldTo, newFrom, newTo int }

// align pairs the lines of an edit (PLACING A1, A2): as the patch did that it came from, or the trailing blank lines
// first, then the common prefix, the common suffix, and the longest common subsequence of the rest. It returns what is
// between the pairs.
func align(old, new []string, hunk string) (groups []group) {
	if groups, ok := alignAs(old, new, hunk); ok {
		return groups
	}
	tail := 0
	for tail < min(len(old), len(new)) && old[len(old)-1-tail] == new[len(new)-1-tail] && isBlank(old[len(old)-1-tail]) {
		tail++
	}
	i, j := 0, 0
	keep := func(k step) {
		if i < k.old || j < k.new {
			groups = append(groups, group{i, k.old, j, k.new})
		}
		i, j = k.old+1, k.new+1
	}
	head := 0
	for head < min(len(old), len(new))-tail && old[head] == new[head] {
		keep(step{head, head})
		head++
	}
	for tail < min(len(old), len(new))-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	for _, k := range subsequence(old[head:len(old)-tail], new[head:len(new)-tail]) {
		keep(step{head + k.old, head + k.new})
	}
	for ; tail > 0; tail-- {
		keep(step{len(old) - tail, len(new) - tail})
	}
	keep(step{len(old), len(new)})
	return groups
}

// alignAs pairs the lines the way a hunk does; ok is false if it is not the hunk that they came from.
func alignAs(old, new []string, hunk string) (groups []group, ok bool) {
	i, j := 0, 0
	open := false
	for _, c := range []byte(hunk) {
		if (c == ' ' || c == '-') && i == len(old) || (c == ' ' || c == '+') && j == len(new) {
			return nil, false
		}
		switch c {
		case ' ':
			if old[i] != new[j] {
				return nil, false
			}
			i, j, open = i+1, j+1, false
			continue
		case '-', '+':
			if !open {
				groups, open = append(groups, group{i, i, j, j}), true
			}
			if c == '-' {
				i++
			} else {
				j++
			}
			g := &groups[len(groups)-1]
			g.oldTo, g.newTo = i, j
		}
	}
	return groups, hunk != "" && i == len(old) && j == len(new)
}

// subsequence returns a longest common subsequence of two lists of lines, where a line with text counts twice a blank
// one. Lists too large to compare line by line are split at a line that each has once; without one, nothing in them is
// common.
func subsequence(a, b []string) []step {
	const cells = 1 << 20
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	if len(a)*len(b) > cells {
		i, j, ok := onceInBoth(a, b)
		if !ok {
			return nil
		}
		steps := append(subsequence(a[:i], b[:j]), step{i, j})
		for _, k := range subsequence(a[i+1:], b[j+1:]) {
			steps = append(steps, step{i + 1 + k.old, j + 1 + k.new})
		}
		return steps
	}
	width := len(b) + 1
	best := make([]int32, (len(a)+1)*width) // best[i*width+j]: of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		weight := int32(2)
		if isBlank(a[i]) {
			weight = 1
		}
		for j := len(b) - 1; j >= 0; j-- {
			v := max(best[(i+1)*width+j], best[i*width+j+1])
			if a[i] == b[j] {
				v = max(v, weight+best[(i+1)*width+j+1])
			}
			best[i*width+j] = v
		}
	}
	var steps []step
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch v := best[i*width+j]; {
		case a[i] == b[j]: // the earliest lines pair
			steps = append(steps, step{i, j})
			i, j = i+1, j+1
		case v == best[(i+1)*width+j]:
			i++
		default:
			j++
		}
	}
	return steps
}

// onceInBoth returns the line nearest the middle of a that stands once in a and once in b.
func onceInBoth(a, b []string) (i, j int, ok bool) {
	type seen struct{ a, b, j int }
	lines := make(map[string]*seen, len(a))
	for _, l := range a {
		if lines[l] == nil {
			lines[l] = &seen{}
		}
		lines[l].a++
	}
	for j, l := range b {
		if s := lines[l]; s != nil {
			s.b, s.j = s.b+1, j
		}
	}
	for d := range len(a) {
		i = len(a)/2 + (d+1)/2
		if d%2 == 0 {
			i = len(a)/2 - d/2
		}
		if i < 0 || i >= len(a) {
			continue
		}
		if s := lines[a[i]]; s.a == 1 && s.b == 1 {
			return i, s.j, true
		}
	}
	return 0, 0, false
}
