package place

import "testing"

// A reason without words would say "it is ".
func TestEveryReasonSaysWhyNot(t *testing.T) {
	said := map[string]string{}
	for _, r := range reasons {
		why := passed[r.by]
		if other, known := said[why]; known || why == "" {
			t.Errorf("%s and %s: both %q", other, r.by, why)
		}
		said[why] = r.by
	}
}
