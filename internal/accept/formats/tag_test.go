package formats_test

import (
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const greek = "alpha\nbeta\ngamma\ndelta\nepsilon\n"

// tagsIn returns the tags in an answer that shows lines, by line.
func tagsIn(t interface {
	Helper()
	Fatal(...any)
}, shown string) map[int]atomicedit.Tag {
	t.Helper()
	tags := map[int]atomicedit.Tag{}
	for _, m := range regexp.MustCompile(`(?m)^ *(\d+)#([A-Z]{4})\t(.*)$`).FindAllStringSubmatch(shown, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		tags[n] = atomicedit.Tag{Line: n, Hash: m[2]}
	}
	return tags
}

// taggedHost returns a Host on the file "a" that shows tags, on a session or not.
func taggedHost(text string, session bool) (*atomicedit.Host, *atomicedit.Mem) {
	mem := atomicedit.NewMem(map[string]string{"a": text})
	var store atomicedit.Store = mem
	if session {
		store = atomicedit.NewSession(mem)
	}
	h := &atomicedit.Host{Store: store}
	h.Tagged = true
	return h, mem
}

func editsOf(edits ...atomicedit.Edit) atomicedit.Plan {
	return atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: edits}}}
}

// What a view shows can be edited by its tags, and the answer shows the tags for the next edit, though numbers have
// shifted.
func TestLinesAreEditedByTheTagsOfAView(t *testing.T) {
	for _, session := range []bool{false, true} {
		host, mem := taggedHost(greek, session)
		answer, err := host.View(t.Context(), "a", 2, 4)
		if err != nil || !strings.Contains(answer.Text, "#") {
			t.Fatal(answer, err)
		}
		tags := tagsIn(t, answer.Text)
		if len(tags) != 3 {
			t.Fatalf("three lines, and the tags %v:\n%s", tags, answer.Text)
		}
		answer, err = host.Do(t.Context(), editsOf(
			accepttest.Tagged(accepttest.LineEdit(2, 3, "B\n"), tags[2], tags[3]),
			accepttest.Tagged(accepttest.LineEdit(5, 0, "after delta\n"), tags[4]),
		))
		if err != nil {
			t.Fatal(err)
		}
		tags = tagsIn(t, answer.Text)
		if _, err := host.Do(t.Context(),
			editsOf(accepttest.Tagged(accepttest.LineEdit(4, 4, ""), tags[4]))); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("alpha\nB\ndelta\nepsilon\n", mem.Files()["a"]); diff != "" {
			t.Error(diff)
		}
	}
}

// A change to a line, or to a line beside it, is noticed wherever it comes from, and the refusal has the tags for the
// next try.
func TestATagOfOtherTextIsStale(t *testing.T) {
	for name, now := range map[string]string{
		"the line":           strings.Replace(greek, "gamma", "GAMMA", 1),
		"the line above":     strings.Replace(greek, "beta", "BETA", 1),
		"the line below":     strings.Replace(greek, "delta", "DELTA", 1),
		"the indentation":    strings.Replace(greek, "gamma", "\tgamma", 1),
		"lines above, moved": "new\n" + greek,
		"a shorter file":     "alpha\nbeta\n",
		"no lines":           "",
	} {
		t.Run(name, func(t *testing.T) {
			host, mem := taggedHost(greek, false)
			answer, err := host.View(t.Context(), "a", 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			old := tagsIn(t, answer.Text)[3]
			if _, err := atomicedit.Run(t.Context(), mem,
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Over(accepttest.Create("a", now))}}, nil); err != nil {
				t.Fatal(err)
			}
			answer, err = host.Do(t.Context(), editsOf(accepttest.Tagged(accepttest.LineEdit(3, 3, "new\n"), old)))
			if !errors.Is(err, atomicedit.ErrStale) || mem.Files()["a"] != now {
				t.Fatalf("got %v: %s", err, answer.Text)
			}
			if strings.Count(now, "\n") < 3 {
				return
			}
			at := 3
			if strings.HasPrefix(now, "new") {
				at = 4 // where the tag is now
			}
			fresh := tagsIn(t, answer.Text)
			if _, err := host.Do(t.Context(),
				editsOf(accepttest.Tagged(accepttest.LineEdit(at, at, "new\n"), fresh[at]))); err != nil {
				t.Errorf("with the tags of %s: %v", answer.Text, err)
			}
		})
	}
}

func TestTags(t *testing.T) {
	change := accepttest.LineEdit(2, 2, "B\n")
	for name, c := range map[string]struct {
		src  string
		edit atomicedit.Edit
		want error
	}{
		"two letters, with the neighbours": {greek,
			accepttest.Tagged(change, atomicedit.Tag{Line: 2, Hash: "JB"}), nil},
		"two other letters": {greek,
			accepttest.Tagged(change, atomicedit.Tag{Line: 2, Hash: "ZZ"}), atomicedit.ErrStale},
		"the tag of another line": {greek,
			accepttest.Tagged(change, atomicedit.Tag{Line: 2, Hash: "KT"}), atomicedit.ErrStale},
		"two letters and the text": {greek,
			accepttest.Tagged(change, atomicedit.Tag{Line: 2, Hash: "JB", Text: "beta"}), nil},
		"two letters and another text": {greek,
			accepttest.Tagged(change, atomicedit.Tag{Line: 2, Hash: "JB", Text: "bravo"}), atomicedit.ErrStale},
		"the text": {greek,
			accepttest.Tagged(change, atomicedit.Tag{Line: 2, Text: "beta"}), nil},
		"the text, with space at the end": {"alpha\r\nbeta \r\n",
			accepttest.Tagged(change, atomicedit.Tag{Line: 2, Text: "beta"}), nil},
		"another text": {greek,
			accepttest.Tagged(change, atomicedit.Tag{Line: 2, Text: "bravo"}), atomicedit.ErrStale},
		"an empty line": {"a\n\nb\n", accepttest.Tagged(change, atomicedit.Tag{Line: 2}), nil},
		"no empty line": {greek, accepttest.Tagged(change, atomicedit.Tag{Line: 2}),
			atomicedit.ErrStale},
		"a line behind the last": {greek, accepttest.Tagged(change, atomicedit.Tag{Line: 6}),
			atomicedit.ErrStale},
		"two lines, of which one is another": {greek,
			accepttest.Tagged(accepttest.LineEdit(1, 2, ""), atomicedit.Tag{Line: 1, Hash: "KT"},
				atomicedit.Tag{Line: 2, Hash: "KT"}), atomicedit.ErrStale},
		"a line far from an edit by text": {greek,
			accepttest.Tagged(atomicedit.Edit{Old: "beta", New: "B"}, atomicedit.Tag{Line: 4, Hash: "TT"}), nil},
		"another line, far from an edit by text": {greek,
			accepttest.Tagged(atomicedit.Edit{Old: "beta", New: "B"}, atomicedit.Tag{Line: 4, Hash: "KT"}),
			atomicedit.ErrStale},
		"an unknown kind":  {greek, accepttest.Tagged(change, atomicedit.Tag{Line: 2, Hash: "a3"}), fs.ErrInvalid},
		"too many letters": {greek, accepttest.Tagged(change, atomicedit.Tag{Line: 2, Hash: "QKVRQ"}), fs.ErrInvalid},
		"line 0":           {greek, accepttest.Tagged(change, atomicedit.Tag{Hash: "JB"}), fs.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := atomicedit.Apply([]byte(c.src), []atomicedit.Edit{c.edit}, nil)
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			var r *atomicedit.Refusal
			if errors.As(err, &r) && len(r.Problems) != 1 {
				t.Errorf("one edit has %d problems: %v", len(r.Problems), err)
			}
		})
	}
}

// Two kinds of hashes have two letters. A request has tags of one kind only.
func TestTagsOfOneRequestAreOfOneKind(t *testing.T) {
	var alone []atomicedit.Tag // the tags of the lines alone
	for n := 1; n <= 2; n++ {
		for _, a := range "ZPMQVRWSNKTXJBYH" {
			for _, b := range "ZPMQVRWSNKTXJBYH" {
				tag := atomicedit.Tag{Line: n, Hash: string([]rune{a, b})}
				_, err := atomicedit.Apply([]byte(greek),
					[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(n, n, "x\n"), tag)}, nil)
				if err == nil && tag.Hash != map[int]string{1: "KT", 2: "JB"}[n] {
					alone = append(alone, tag)
				}
			}
		}
	}
	if len(alone) != 2 {
		t.Fatalf("the lines have the tags %v", alone)
	}
	two := func(tag atomicedit.Tag) []atomicedit.Edit {
		return []atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(1, 1, "x\n"), alone[0]),
			accepttest.Tagged(accepttest.LineEdit(2, 2, "y\n"), tag)}
	}
	if _, err := atomicedit.Apply([]byte(greek), two(alone[1]), nil); err != nil {
		t.Error(err)
	}
	if _, err := atomicedit.Apply([]byte(greek), two(atomicedit.Tag{Line: 2, Hash: "JB"}), nil); !errors.Is(err,
		atomicedit.ErrStale) {
		t.Error(err)
	}
}

// Problems of other edits are told beside those of tags.
func TestAStaleTagHidesNoOtherProblem(t *testing.T) {
	_, err := atomicedit.Apply([]byte(greek), []atomicedit.Edit{
		accepttest.Tagged(accepttest.LineEdit(2, 2, "B\n"), atomicedit.Tag{Line: 2, Hash: "ZZ"}),
		{Old: "zeta", New: "Z"},
	}, nil)
	if !errors.Is(err, atomicedit.ErrStale) || !errors.Is(err, atomicedit.ErrNotFound) {
		t.Error(err)
	}
}

// Where a session has seen only a part of a file, or its numbers have shifted, tags at both ends of an edit are proof
// enough. They are no proof for a file that has changed elsewhere.
func TestTagsInASession(t *testing.T) {
	tag := func(line int, hash string) atomicedit.Tag { return atomicedit.Tag{Line: line, Hash: hash} }
	for name, c := range map[string]struct {
		edit atomicedit.Edit
		want error
	}{
		"no tag": {accepttest.LineEdit(2, 2, "B\n"), atomicedit.ErrUnread},
		"a tag":  {accepttest.Tagged(accepttest.LineEdit(2, 2, "B\n"), tag(2, "JB")), nil},
		"a tag at one end only": {accepttest.Tagged(accepttest.LineEdit(2, 4, "B\n"), tag(2, "JB")),
			atomicedit.ErrUnread},
		"tags at both ends": {accepttest.Tagged(accepttest.LineEdit(2, 4, "B\n"), tag(2, "JB"),
			tag(4, "TT")), nil},
		"an insertion after a tag":  {accepttest.Tagged(accepttest.LineEdit(3, 0, "B\n"), tag(2, "JB")), nil},
		"an insertion before a tag": {accepttest.Tagged(accepttest.LineEdit(2, 0, "B\n"), tag(2, "JB")), nil},
		"an insertion far from any tag": {accepttest.Tagged(accepttest.LineEdit(4, 0, "B\n"), tag(2, "JB")),
			atomicedit.ErrUnread},
		"a tag that does not fit": {accepttest.Tagged(accepttest.LineEdit(2, 2, "B\n"), tag(2, "ZZ")),
			atomicedit.ErrStale},
		"an insertion, and no tag at it": {accepttest.LineEdit(3, 0, "B\n"), atomicedit.ErrUnread},
	} {
		t.Run(name, func(t *testing.T) {
			mem := atomicedit.NewMem(map[string]string{"a": greek + "zeta\nomega\n"})
			s := atomicedit.NewSession(mem)
			if _, err := s.View(t.Context(), "a", 1, 1); err != nil {
				t.Fatal(err)
			}
			if _, err := atomicedit.Prepare(t.Context(), s, editsOf(c.edit), nil); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if _, err := atomicedit.Prepare(t.Context(), atomicedit.NewSession(mem), editsOf(c.edit),
				nil); !errors.Is(err, atomicedit.ErrUnread) {
				t.Errorf("unread: %v", err)
			}
			if _, err := atomicedit.Run(t.Context(), mem,
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "zeta", "Z")}}, nil); err != nil {
				t.Fatal(err)
			}
			if _, err := atomicedit.Prepare(t.Context(), s, editsOf(c.edit), nil); !errors.Is(err, c.want) {
				t.Errorf("changed elsewhere: %v", err)
			}
		})
	}
}

// A line that is shown in part has no tag: nobody has seen what an edit of all of it would remove.
func TestALineThatIsCutHasNoTag(t *testing.T) {
	host, _ := taggedHost("short\n"+strings.Repeat("long ", 50)+"\nshort\n", false)
	host.MaxLine = 20
	answer, err := host.View(t.Context(), "a", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if tags := tagsIn(t, answer.Text); len(tags) != 2 || tags[2] != (atomicedit.Tag{}) {
		t.Errorf("got the tags %v:\n%s", tags, answer.Text)
	}
}

// Whatever the text, all lines can be edited by the tags that a view shows, and by no tags once they have changed.
func TestEveryLineCanBeEditedByItsTag(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := accepttest.TextOf(t)
		host, mem := taggedHost(src, rapid.Bool().Draw(t, "session"))
		answer, err := host.View(t.Context(), "a", 0, 0)
		if errors.Is(err, atomicedit.ErrBinary) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		tags := tagsIn(t, answer.Text)
		if len(tags) != answer.Lines {
			t.Fatalf("%d lines and %d tags", answer.Lines, len(tags))
		}
		if len(tags) == 0 {
			return
		}
		at := rapid.IntRange(1, len(tags)).Draw(t, "line")
		change := editsOf(accepttest.Tagged(accepttest.LineEdit(at, at, "changed by its tag\n"), tags[at]))
		if answer, err = host.Do(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		if tagsIn(t, answer.Text)[at] == tags[at] {
			return // one text in 65,536 has the same hash
		}
		if _, err := atomicedit.Prepare(t.Context(), mem, change, nil); !errors.Is(err, atomicedit.ErrStale) {
			t.Fatalf("once more: %v", err)
		}
	})
}

// Tags are compared in time that is linear in the file and the request, even if each is of a long line.
func TestManyTagsOfALongLine(t *testing.T) {
	src := strings.Repeat("x", 1<<20)
	var all []atomicedit.Tag
	for i := range 100_000 {
		all = append(all, atomicedit.Tag{Line: 1,
			Hash: string([]byte{"PMQV"[i%4], "RWSN"[i/4%4], "KTXJ"[i/16%4], "BYHZ"[i/64%4]})})
	}
	if _, err := atomicedit.Apply([]byte(src),
		[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(1, 1, "y"), all...)}, nil); !errors.Is(err,
		atomicedit.ErrStale) {
		t.Error(err)
	}
}

// Lines that a call expects prove its line numbers. They do not lead it to other lines.
func TestExpectedLinesStayWhereTheyAreSaidToBe(t *testing.T) {
	const source = "alpha\nbeta\n\nbeta\ngamma\n"
	for _, tt := range []struct{ args, want string }{
		{`{"path": "a", "start_line": 2, "end_line": 2, "expected_old_text": "beta", "new_text": "B"}`,
			"alpha\nB\n\nbeta\ngamma\n"},
		{`{"path": "a", "start_line": 2, "end_line": 4, "expected_old_text": "beta\n\nbeta", "new_text": "B"}`,
			"alpha\nB\ngamma\n"},
		{`{"path": "a", "start_line": 4, "end_line": 4, "expected_old_text": "gamma", "new_text": "G"}`, ""},
		{`{"path": "a", "start_line": 1, "end_line": 1, "expected_old_text": "gamma", "new_text": "G"}`, ""},
	} {
		plan, err := atomicedit.ParseJSON([]byte(tt.args))
		if err != nil {
			t.Fatal(err)
		}
		result, err := plan.Apply([]byte(source), nil)
		if tt.want == "" {
			if !errors.Is(err, atomicedit.ErrStale) {
				t.Errorf("%s: error %v", tt.args, err)
			}
		} else if err != nil || string(result.Text) != tt.want {
			t.Errorf("%s: %v, %+v", tt.args, err, result)
		}
	}
}
