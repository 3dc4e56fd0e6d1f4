package merge

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/sweeptest"
	"github.com/atomicedit/atomicedit/internal/text"
)

// merged returns ours with the change from base to theirs, and reports whether there is no conflict.
func merged(base, ours, theirs string) (string, bool) {
	b, o, t := LinesOf(text.New([]byte(base))), LinesOf(text.New([]byte(ours))), LinesOf(text.New([]byte(theirs)))
	toOurs, _ := Changed(b, o)
	toTheirs, _ := Changed(b, t)
	groups, _, conflicts := Carry(o, t, toOurs, toTheirs)
	var s strings.Builder
	at := 0
	for _, g := range groups {
		s.Write(o.piece(at, g.OldFrom))
		s.Write(t.piece(g.NewFrom, g.NewTo))
		at = g.OldTo
	}
	s.Write(o.piece(at, o.Count()))
	return s.String(), len(conflicts) == 0
}

func TestMerge(t *testing.T) {
	for _, test := range []struct{ name, base, ours, theirs, want string }{ // "" is a conflict
		{"each side changes a line", "a\nb\nc\n", "1\nb\nc\n", "a\nb\n3\n", "1\nb\n3\n"},
		{"both make the same change", "a\nb\nc\n", "a\n2\nc\n", "a\n2\nc\n", "a\n2\nc\n"},
		{"both make the same change, and one another", "a\nb\nc\n", "a\n2\nc\n", "a\n2\nc\nd\n", "a\n2\nc\nd\n"},
		{"both change a line", "a\nb\nc\n", "a\n2\nc\n", "a\nB\nc\n", ""},
		{"neighbouring lines", "a\nb\nc\nd\n", "a\n2\nc\nd\n", "a\nb\n3\nd\n", ""},
		{"an insertion beside a change", "a\nb\nc\n", "a\n2\nc\n", "a\nb\nnew\nc\n", ""},
		{"a removal within a change", "a\nb\nc\nd\n", "a\nd\n", "a\nb\n3\nd\n", ""},
		{"both add lines, and one changes the line above", "a\nb\n", "a\nb\nnew 1\nnew 2\n", "a\n2\nnew 1\nnew 2\n",
			"a\n2\nnew 1\nnew 2\n"},
		{"both add lines, and one changes the line below", "a\nb\n", "a\nnew\nb\n", "a\nnew\n2\n", "a\nnew\n2\n"},
		{"both add lines, and the other changes the line above", "a\nb\n", "a\n2\nnew\n", "a\nb\nnew\n", "a\n2\nnew\n"},
		{"both add lines, and one removes the line above", "a\nb\n", "a\nb\nnew\n", "a\nnew\n", ""},
		{"both add lines, and both change the line above", "a\nb\n", "a\n1\nnew\n", "a\n2\nnew\n", ""},
		{"both add lines at the end", "a\n", "a\nb\n", "a\nc\n", ""},
		{"one side empties the text", "a\nb\n", "", "a\nb\nc\n", ""},
		{"ours is the base", "a\nb\n", "a\nb\n", "b\n", "b\n"},
		{"ours has other endings", "a\nb\nc\n", "a\r\nb\r\nc\r\n", "a\n2\nc\n", "a\n2\nc\n"},
		{"ours has a newline at its end", "a\nb\nc", "a\nb\nc\n", "1\nb\nc", "1\nb\nc\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, clean := merged(test.base, test.ours, test.theirs)
			if !clean {
				got = ""
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// change makes random changes of lines. The lines are of few kinds, so that many are equal.
func change(r *rand.Rand, lines []string, kinds int) (changed []string) {
	for i, l := range lines {
		switch r.IntN(12) {
		case 0:
		case 1:
			changed = append(changed, fmt.Sprint("new", r.IntN(kinds)), l)
		case 2:
			changed = append(changed, fmt.Sprint("other", r.IntN(kinds)))
		case 3:
			changed = append(changed, lines[r.IntN(i+1)], l)
		default:
			changed = append(changed, l)
		}
	}
	return changed
}

// The outcome is that of git wherever both are clean, and nothing is clean that git calls a conflict, except where the
// two see the same change in different lines.
func TestMergeAgreesWithGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git to compare with")
	}
	dir := t.TempDir()
	clean, differ := 0, 0
	const kinds = 1000
	runs := sweeptest.Or(100, 1000)
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 1))
		var lines []string
		for range 5 + r.IntN(60) {
			lines = append(lines, fmt.Sprint(r.IntN(kinds)))
		}
		texts := [3]string{}
		for i, l := range [][]string{lines, change(r, lines, kinds), change(r, lines, kinds)} {
			if i > 0 && r.IntN(2) == 0 { // changes in a part of the text alone
				from := r.IntN(len(lines))
				l = append(append([]string{}, lines[:from]...), change(r, lines[from:], kinds)...)
			}
			texts[i] = strings.Join(append(l, ""), "\n")
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(texts[i]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(git, "merge-file", "-p", "1", "0", "2")
		cmd.Dir = dir
		var out bytes.Buffer
		cmd.Stdout = &out
		gitClean := cmd.Run() == nil
		got, ok := merged(texts[0], texts[1], texts[2])
		if gitClean && ok {
			clean++
		}
		if gitClean != ok || ok && got != out.String() {
			differ++
			t.Logf("seed %d: clean %t, git %t\nbase   %q\nours   %q\ntheirs %q\ngit %q\ngot %q", seed, ok, gitClean,
				texts[0], texts[1], texts[2], out.String(), got)
		}
	}
	if differ > 0 || clean < runs/20 {
		t.Errorf("%d of %d are clean, %d differ from git", clean, runs, differ)
	}
}
