package host_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Importing the package makes few allocations: tables are made when they are first asked for. A program that calls
// little of it makes a hundred, and this one, in which the linker leaves more, some more.
func TestImportingCostsLittle(t *testing.T) {
	least, shown := 1000, ""
	for range 5 { // the runtime allocates beside it at times
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		trace, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, trace)
		}
		packages, all := 0, 0
		for line := range strings.Lines(string(trace)) {
			name, rest, ok := strings.Cut(line, " @")
			if !ok || !strings.HasPrefix(name, "init github.com/atomicedit/atomicedit") ||
				strings.Contains(name, "/accept/") {
				continue
			}
			var at, clock float64
			var bytes, allocs int
			if _, err := fmt.Sscanf(rest, "%f ms, %f ms clock, %d bytes, %d allocs", &at, &clock, &bytes,
				&allocs); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			packages, all = packages+1, all+allocs
		}
		if packages < 5 {
			t.Fatalf("%d packages:\n%s", packages, trace)
		}
		if all < least {
			least, shown = all, string(trace)
		}
	}
	if least > 150 {
		t.Errorf("importing makes %d allocations:\n%s", least, shown)
	}
}
