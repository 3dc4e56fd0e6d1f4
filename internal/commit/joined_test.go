package commit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
)

func TestAnErrorWordsTheFirstFewOfMany(t *testing.T) {
	var changes []Change
	files := map[string]string{}
	for i := range 10_000 {
		name := fmt.Sprintf("d%d/f", i)
		files[name] = "theirs"
		changes = append(changes, edit(name, "one", "two"))
	}
	err := commitOn(disktest.NewMemory(files), Options{}, changes)
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 6 || lines[5] != "and 9995 more" ||
		!errors.Is(err, errs.ErrStale) {
		t.Errorf("%d lines, the last one %q", len(lines), lines[len(lines)-1])
	}
	if many, ok := err.(interface{ Unwrap() []error }); !ok || len(many.Unwrap()) != 10_000 {
		t.Error("errors are missing")
	}
}
