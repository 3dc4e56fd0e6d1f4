package place

import (
	"slices"
	"testing"
)

// I2, I3: the lessons of the matched lines about indentation, and the resulting indentation of a new line.
func TestShiftsAndSteps(t *testing.T) {
	observed := func(src, old string) observation {
		v := newVersion([]byte(src))
		f := placement{read(old, old), candidate{ignores: indents}}
		return (&lessons{text: v.Text}).observe(f, nil)
	}
	for _, c := range []struct {
		name, src, old string
		shifts         []shift
		same, cutOff   bool
	}{
		{"the same", "  a\n    b\n", "  a\n    b\n", []shift{{"  ", "  "}, {"    ", "    "}}, true, false},
		{"deeper in the text", "  a\n    b\n", "a\n  b\n", []shift{{"", "  "}, {"  ", "    "}}, false, false},
		{"tabs for spaces", "\ta\n\t\tb\n", "    a\n        b\n", []shift{{"    ", "\t"}, {"        ", "\t\t"}}, false,
			false},
		{"the first line cut off", "  a\n  b\n", "a\n  b\n", []shift{{"", "  "}, {"  ", "  "}}, false, true},
		{"blank lines teach nothing", "  a\n\n  b\n", "a\n\nb\n", []shift{{"", "  "}}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := observed(c.src, c.old)
			if !slices.Equal(o.shifts, c.shifts) || o.same != c.same || o.cutOff != c.cutOff {
				t.Errorf("%+v, same %v, cut off %v", o.shifts, o.same, o.cutOff)
			}
		})
	}
	for _, c := range []struct {
		scale
		shift
		indent, want string
		ok           bool
	}{
		{scale{"  ", "    "}, shift{"  ", "    "}, "      ", "            ", true},
		{scale{"  ", "    "}, shift{"  ", "    "}, "", "", true},
		{scale{"    ", "\t"}, shift{"", "\t"}, "    ", "\t\t", true},
		{scale{"    ", "\t"}, shift{"    ", "\t"}, "      ", "", false}, // half a step
		{scale{"\t", "  "}, shift{"\t", "  "}, "    ", "", false},       // in another style
		{scale{"  ", "    "}, shift{"    ", "    "}, "", "", false},     // further out than the text goes
	} {
		if got, ok := c.count(c.indent, c.shift); ok != c.ok || ok && got != c.want {
			t.Errorf("%q by %q from %q: %q, %v", c.indent, c.scale, c.shift, got, ok)
		}
	}
}
