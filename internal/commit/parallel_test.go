package commit

import (
	"strings"
	"testing"
)

func TestAPanicInAGoroutineIsAnError(t *testing.T) {
	for _, n := range []int{1, 40} {
		err := together(n, func(i int) error {
			var none []byte
			if i == n-1 {
				_ = none[i]
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "index out of range") {
			t.Errorf("%d calls: error %v", n, err)
		}
	}
}
