package text

import (
	"testing"

	"pgregory.net/rapid"
)

func TestALaterEditMeetsAChange(t *testing.T) {
	for _, tt := range []struct {
		old, new, later string
		want            bool
	}{
		{"one", "two", "two", true},
		{"one", "two", "one", true},
		{"one", "two", "x = two + y", true},
		{"x = one", "x = two", "x", false},
		{"x = one", "x = two", "= two", true},
		{"x = one", "x = two", "two()", true},
		{"x = one", "x = two", "x = three", false},
		{"x = one", "x = two", "two; y", true},
		{"x = one", "x = two", "y, two", false},
		{"x = one", "x  =  two", "x=\n\ttwo", true},
		{"one", "“two”", `a "two" b`, true},
		{"f(a)\n", "f(a)\ng(b)\n", "f(a)", false},
		{"f(a)\n", "f(a)\ng(b)\n", "f(a)\n}", true},  // not on the result, but where it would have been changed
		{"f(a)\n", "f(a)\ng(b)\n", "{\nf(a)", false}, // either way
		{"f(a)\n", "f(a)\ng(b)\n", "g(b)\n}", true},
		{"a\nb\nc", "a\nc", "a\nc\nd", true},
		{"a\nb\nc", "a\nc", "c\nd", false},
		{"alpha", "beta", "gamma", false}, // "gamm" + "alpha" overlaps within words
		{"get", "fetch", "fetchUser()", true},
		{"get", "fetch", "prefetch()", true},
		{"甲乙", "丙乙", "丁丙", true},
		{"a b", "a  b", "b c", true}, // if only whitespace changes, all of it does
		{"", "x", "x", true},
		{"x", "", "y", false},
		{"x", "y", "", false},
	} {
		old, new := Change(tt.old, tt.new)
		if got := old.Meets(Squeeze(tt.later)) || new.Meets(Squeeze(tt.later)); got != tt.want {
			t.Errorf("%q → %q meets %q: got %t", tt.old, tt.new, tt.later, got)
		}
	}
}

// What Meets says is what trying every position says.
func TestMeetsIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.StringOfN(rapid.SampledFrom([]rune("ab+ü")), 1, 8, -1)
		c, s := Squeezed(draw.Draw(t, "text")), Squeezed(draw.Draw(t, "later"))
		from := rapid.IntRange(0, len(c)).Draw(t, "from")
		to := rapid.IntRange(from, len(c)).Draw(t, "to")
		want := false
		for at := 1 - len(s); at < len(c); at++ { // of s in c
			start, end := max(0, at), min(len(c), at+len(s))
			touches := start < to && from < end || from == to && at < from && from < at+len(s)
			edge := at >= 0 && at+len(s) <= len(c) || at <= 0 && at+len(s) >= len(c) ||
				isEdge(string(s), start-at) && isEdge(string(c), start) || isEdge(string(s), end-at) && isEdge(string(c), end)
			want = want || touches && edge && c[start:end] == s[start-at:end-at]
		}
		if got := (Changed{c, from, to}).Meets(s); got != want {
			t.Fatalf("%q changed at %d to %d meets %q: got %t", c, from, to, s, got)
		}
	})
}
