package commit

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A journal is decoded as it was encoded. If it was cut short, no change has begun.
func TestJournalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var j journal
		version := rapid.Custom(func(t *rapid.T) disk.Version {
			return disk.VersionOf([]byte(rapid.String().Draw(t, "data")))
		})
		path := rapid.StringMatching(`[a-z "\\é\n-]{1,8}(/[a-z \t']{1,5}){0,2}`).Filter(isTarget)
		for i := range rapid.IntRange(0, 5).Draw(t, "entries") {
			e := step{kind: entryMkdir, path: path.Draw(t, "path")}
			if rapid.Bool().Draw(t, "file") {
				e.kind, e.new, e.stage = entryCreate, version.Draw(t, "new"), fmt.Sprintf("%s/%d", StateDir, i)
			}
			if rapid.Bool().Draw(t, "edit") {
				e.kind, e.old, e.new = entryEdit, version.Draw(t, "old"), version.Draw(t, "new")
				e.stage = fmt.Sprintf("%s/%s%d", path.Draw(t, "dir"), besidePrefix, i)
			}
			j = append(j, e)
		}
		born := rapid.SampledFrom([]string{"-", "1763729105123456789"}).Draw(t, "born")
		h := head{born: born}
		if rapid.Bool().Draw(t, "several trees") {
			root := rapid.String().Draw(t, "root")
			h.verdict = verdict{id: strings.Repeat("0f", idBytes), mark: "b12", root: root}
			for _, other := range rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "others") {
				h.verdict.others = append(h.verdict.others, verdict{id: h.verdict.id, mark: "i3", root: other})
			}
		}
		data := j.encode(h)
		got, read, err := decodeJournal(data)
		if diff := cmp.Diff(describe(j), describe(got)); err != nil || diff != "" || !reflect.DeepEqual(read, h) {
			t.Fatalf("error %v (-want +got):\n%s", err, diff)
		}
		cut := rapid.IntRange(0, len(data)-1).Draw(t, "cut")
		if _, _, err := decodeJournal(data[:cut]); err != errTorn && err != errJournal || err == errJournal &&
			cut > len(journalHead)+4 {
			t.Fatalf("cut at %d: error %v", cut, err)
		}
	})
}

func describe(j journal) (lines []string) {
	for _, e := range j {
		lines = append(lines, fmt.Sprintf("%s %s %s %q %q", e.kind, e.old, e.new, e.stage, e.path))
	}
	return lines
}

// A journal is untrusted input: it is refused if it names a file that no commit would touch.
func TestAJournalCannotReachOut(t *testing.T) {
	good := step{kind: entryCreate, path: "a", new: disk.VersionOf(nil), stage: ".atomicedit/0"}
	for _, spoil := range []func(*step){
		func(e *step) { e.path = "../a" },
		func(e *step) { e.path = "/a" },
		func(e *step) { e.path = "a/../b" },
		func(e *step) { e.path = "" },
		func(e *step) { e.path = "x/.atomicedit/0.old" },
		func(e *step) { e.stage = "a" },
		func(e *step) { e.stage = "" },
		func(e *step) { e.stage = "../.atomicedit-0" },
		func(e *step) { e.stage = ".atomicedit/../0" },
		func(e *step) { e.stage = ".atomicedit/-1" },
		func(e *step) { e.stage = ".atomicedit/00" },
		func(e *step) { e.kind = "chmod" },
		func(e *step) { e.kind = entryMkdir },
	} {
		e := good
		spoil(&e)
		if _, _, err := decodeJournal(journal{good, e}.encode(head{born: "-"})); err != errJournal {
			t.Errorf("%+v: error %v", describe(journal{e}), err)
		}
	}
}
