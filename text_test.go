package atomicedit

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFindFindsWhatIndexFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.StringOfN(rapid.SampledFrom([]rune("ab zQ\n")), 0, 400, -1).Draw(t, "data")
		if rapid.Bool().Draw(t, "repeated") {
			data = strings.Repeat(data, 200)
		}
		s := rapid.StringOfN(rapid.SampledFrom([]rune("ab zQ\n")), 1, 80, -1).Draw(t, "s")
		if at := rapid.IntRange(0, len(data)).Draw(t, "at"); rapid.Bool().Draw(t, "there") && at < len(data) {
			s = data[at:min(len(data), at+len(s))]
		}
		from := rapid.IntRange(0, len(data)).Draw(t, "from")
		want := strings.Index(data[from:], s)
		if want >= 0 {
			want += from
		}
		if got := newText([]byte(data)).find(s, rarest(s), from); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}
