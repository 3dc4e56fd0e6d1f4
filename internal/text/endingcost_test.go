package text_test

import (
	"strings"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit/internal/text"
)

// The ending of added lines is looked up once, even in a text of one long line.
func TestManyLinesForALongOneAreWrittenInOnePass(t *testing.T) {
	one := text.New([]byte(strings.Repeat("long ", 1<<20)))
	start := time.Now()
	added := strings.Split(strings.Repeat("short\n", 100_000), "\n")
	one.ReplaceLines(nil, text.Origin{}, 0, []text.Line{one.LineAt(0)}, added)
	one.ReplaceLines(nil, text.Origin{}, len(one.Data), nil, added)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}
