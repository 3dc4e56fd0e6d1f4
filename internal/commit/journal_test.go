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
				e.kind, e.new, e.dir, e.number = entryCreate, version.Draw(t, "new"), StateDir, i
			}
			if rapid.Bool().Draw(t, "edit") {
				e.kind, e.old, e.new = entryEdit, version.Draw(t, "old"), version.Draw(t, "new")
				e.dir, e.number = path.Draw(t, "dir"), i
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
		lines = append(lines, fmt.Sprintf("%s %s %s %q %q", e.kind, e.old, e.new, e.stage(), e.path))
	}
	return lines
}

// A journal is untrusted input: it is refused if it names a file that no commit would touch.
func TestAJournalCannotReachOut(t *testing.T) {
	type line struct{ kind, stage, path string }
	decode := func(l line) error {
		text := fmt.Appendf(nil, "atomicedit journal 1 1 -\n%s - %s %q %q\n", l.kind, disk.VersionOf(nil), l.stage,
			l.path)
		_, _, err := decodeJournal(seal(text))
		return err
	}
	good := line{string(entryCreate), ".atomicedit/0", "a"}
	if err := decode(good); err != nil {
		t.Fatal(err)
	}
	for _, spoil := range []func(*line){
		func(l *line) { l.path = "../a" },
		func(l *line) { l.path = "/a" },
		func(l *line) { l.path = "a/../b" },
		func(l *line) { l.path = "" },
		func(l *line) { l.path = "x/.atomicedit/0.old" },
		func(l *line) { l.stage = "a" },
		func(l *line) { l.stage = "" },
		func(l *line) { l.stage = "0" },
		func(l *line) { l.stage = "x/0" },
		func(l *line) { l.stage = ".atomicedit/.atomicedit-0" },
		func(l *line) { l.stage = "../.atomicedit-0" },
		func(l *line) { l.stage = "/.atomicedit-0" },
		func(l *line) { l.stage = "./.atomicedit-0" },
		func(l *line) { l.stage = ".git/../../.atomicedit-0" },
		func(l *line) { l.stage = ".atomicedit/x/.atomicedit-0" },
		func(l *line) { l.stage = ".atomicedit/../0" },
		func(l *line) { l.stage = ".atomicedit/-1" },
		func(l *line) { l.stage = ".atomicedit--1" },
		func(l *line) { l.stage = ".atomicedit/00" },
		func(l *line) { l.kind = "chmod" },
		func(l *line) { l.kind = string(entryMkdir) },
	} {
		l := good
		spoil(&l)
		if err := decode(l); err != errJournal {
			t.Errorf("%+v: error %v", l, err)
		}
	}
}
