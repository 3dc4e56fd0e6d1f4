package atomicedit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
)

// A scene is a conversation: calls of tools, or requests that a host reads itself, one after the other.
// The scenes are in testdata/scenes. Each begins with its name and a remark. Its files follow, then its calls:
//
//	-- file: NAME --                    a file
//	-- call: TOOL --                    the arguments of a call of a tool
//	-- call: TOOL {"field":…} --        the same, where the text below is the value of a field
//	-- call: PARSER --                  a request for a parser: blocks, v4a, unified, hashline, json, lsp, or parse for any of them
//	-- call: text --                    a request for any parser, applied to file "a" alone
//	-- call: view --                    a path, the first line and the last
//	-- call: cancelled TOOL --          a call whose context has ended
type scene struct {
	name  string
	files map[string]string
	calls []call
	setting
}

// A call names a tool or parser, and has its arguments.
type call struct{ name, args string }

// A setting is all that a scene needs besides files and calls.
type setting struct {
	setup func(h *atomicedit.Host, s *atomicedit.Session, m *atomicedit.Mem)
	// nil: a Session on the files, which has seen all that are not called "unread"
	store func(files map[string]string) atomicedit.Store
	plans []planned // carried out after the calls
}

// A planned is a plan that no request asks for in this way, or only by bytes that are hard to read.
type planned struct {
	name string
	ops  []atomicedit.Op
}

// settings returns the settings of scenes by their names.
func settings() map[string]setting {
	return map[string]setting{
		"refused, with more than one way": {plans: []planned{
			plan("all places, twice", accepttest.Edit("a", accepttest.Everywhere("end it", "end"),
				accepttest.Everywhere("end it", "ends"))),
		}},
		"refused, since the host overlooks nothing": {setup: func(h *atomicedit.Host, _ *atomicedit.Session,
			_ *atomicedit.Mem) {
			h.Options = &atomicedit.Options{Loosest: atomicedit.Exact}
		}},
		"in an encoding that the host names": {setup: func(h *atomicedit.Host, _ *atomicedit.Session,
			_ *atomicedit.Mem) {
			h.Options = &atomicedit.Options{Charset: func(path string, _ []byte) encoding.Encoding {
				return map[string]encoding.Encoding{"latin": charmap.Windows1252, "sjis": japanese.ShiftJIS}[path]
			}}
		}},
		"files that the host formats": {setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			h.Options = &atomicedit.Options{Format: func(ctx context.Context, path string, text []byte) ([]byte,
				error) {
				as, ok := map[string]string{"nothing": "", "bytes": "\xff", "endings": "z\ry\n",
					"latin": "caf\u00e9 \u2192\n"}[path]
				if ok {
					return []byte(as), nil
				}
				return accepttest.Tidy(ctx, path, text)
			}, Charset: func(path string, _ []byte) encoding.Encoding {
				return map[string]encoding.Encoding{"latin": charmap.Windows1252}[path]
			}}
		}},
		"a file that does not parse": {setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			h.Options = &atomicedit.Options{Format: accepttest.GoFormat,
				Checks: []atomicedit.Check{func(path string, text []byte) ([]atomicedit.Note, error) {
					_, err := accepttest.GoFormat(context.Background(), path, text)
					return nil, err
				}}}
		}},
		"tools that cannot read": {setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			all, _ := atomicedit.Tools("multi_edit", "file_write_or_edit", "apply_patch")
			h.Tools = all
		}},
		"not approved by the store": commitsFail(fmt.Errorf("the user wants y to stay: %w", atomicedit.ErrDenied)),

		"lines that an edit has shifted": {setup: func(_ *atomicedit.Host, s *atomicedit.Session, _ *atomicedit.Mem) {
			atomicedit.Run(context.Background(), s,
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "2\n", "")}}, nil)
		}},
		"the file has changed since it was read": {setup: func(_ *atomicedit.Host, _ *atomicedit.Session,
			m *atomicedit.Mem) {
			atomicedit.Run(context.Background(), m,
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Over(accepttest.Create("a", "y\n"))}}, nil)
		}},
		"the file has changed since it was read: meanwhile": meanwhile(accepttest.Over(accepttest.Create("a", "y\n"))),
		"a file that appears meanwhile":                     meanwhile(accepttest.Create("a", "y\n")),
		"not approved": {setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			h.Approve = func(context.Context, *atomicedit.Transaction) (*atomicedit.Transaction, error) {
				return nil, errors.New("the user wants y to stay")
			}
		}},

		"the machinery fails":                   commitsFail(errors.New("commit a: no space left on device")),
		"the machinery fails half way":          commitsFail(fmt.Errorf("%w: a", atomicedit.ErrUnfinished)),
		"the machinery may have to do it again": commitsFail(atomicedit.ErrNotDurable),

		"a directory with a repository": odd(atomicedit.DirOptions{}),
		"a repository behind a link": {store: func(files map[string]string) atomicedit.Store {
			return atomicedit.NewDirOn(disktest.Linked{Disk: disktest.NewMemory(files),
				Links: map[string]string{".git": "git"}}, atomicedit.DirOptions{})
		}},
		"several roots": {store: func(files map[string]string) atomicedit.Store {
			return accepttest.RootsOn(disktest.NewMemory(files), "/home/app", "/home/lib", "/home/more")
		}},
		"too large":                           odd(atomicedit.DirOptions{MaxSize: 10}),
		"a directory with files that are odd": odd(atomicedit.DirOptions{RefuseHardLinks: true}),
		"a directory with files that are odd, which the host allows": odd(atomicedit.DirOptions{InPlace: true,
			AllowOwnerChange: true}),
		"a directory for reading only":                       odd(atomicedit.DirOptions{ReadOnly: true}),
		"a directory that cannot hold the state of a commit": odd(atomicedit.DirOptions{}, "Mkdir 0 denied"),
		"directories that take no new file":                  odd(atomicedit.DirOptions{}),
		"a full disk":                                        odd(atomicedit.DirOptions{}, "Mkdir 0"),
		"a commit that breaks off":                           odd(atomicedit.DirOptions{}, "Rename 1"),

		"a store that has shown a part": {store: func(files map[string]string) atomicedit.Store { return accepttest.SessionOf(files, "part", 1, 2) }},
		"a store that hides its session": {store: func(files map[string]string) atomicedit.Store {
			return accepttest.Hiding(accepttest.SessionOf(files, "part", 1, 2))
		}},

		"plans that a program makes": {plans: []planned{
			plan("of no file", atomicedit.Op{Kind: atomicedit.OpDelete}),
			plan("a move to nowhere", atomicedit.Op{Kind: atomicedit.OpMove, Path: "a"}),
			plan("a file deleted, then edited", accepttest.Remove("a"), accepttest.Edits("a", "x", "y")),
			plan("written against another version",
				atomicedit.Op{Path: "a", Version: "sha256:00", Edits: []atomicedit.Edit{{Old: "x", New: "y"}}}),
			plan("a range of lines backwards", accepttest.Edit("a", atomicedit.Edit{First: 2, Last: 1})),
			plan("a range without lines", accepttest.Edit("a", accepttest.Ranged(0, 0, 0, 0, "z"))),
			plan("a range in an unknown unit",
				accepttest.Edit("a", accepttest.Counted("bytes", accepttest.Ranged(1, 0, 1, 1, "z")))),
			plan("a range on text that an edit has changed",
				accepttest.Edit("a", atomicedit.Edit{Old: "x", New: "z"}, accepttest.Ranged(1, 0, 1, 1, "w"))),
			plan("a first line and a text", accepttest.Edit("a", atomicedit.Edit{First: 2, Old: "x"})),
			plan("a negative count", accepttest.Edit("a", atomicedit.Edit{Old: "x", Count: -2})),
			plan("no old text", accepttest.Edit("a", atomicedit.Edit{New: "x"})),
			plan("no old text, and a line as a hint",
				accepttest.Edit("a", atomicedit.Edit{New: "x", Near: 1, WholeLines: true})),
			plan("equal texts", accepttest.Edits("a", "x", "x")),
			plan("lines that an edit of a text has changed",
				accepttest.Edit("a", atomicedit.Edit{Old: "x", New: "z"}, atomicedit.Edit{First: 1, Last: 1})),
			plan("UTF-16 that is no text", accepttest.Edits("wide", "x", "\xe9")),
			plan("a byte order mark", accepttest.Edits("b", "x", "\xff\xfex")),
		}},
		"plans with fields that mean nothing together": {plans: []planned{
			plan("an edit with a content",
				atomicedit.Op{Path: "a", Content: "y\n", Edits: []atomicedit.Edit{{Old: "x", New: "y"}}}),
			plan("a move with a mode", atomicedit.Op{Kind: atomicedit.OpMove, Path: "a", To: "b", Mode: 0o755}),
			plan("a file that is made a directory",
				atomicedit.Op{Kind: atomicedit.OpCreate, Path: "b", Mode: fs.ModeDir | 0o755}),
			plan("a delete with a new path", atomicedit.Op{Kind: atomicedit.OpDelete, Path: "a", To: "b"}),
			plan("an edit that may overwrite", accepttest.Over(accepttest.Edits("a", "x", "y"))),
			plan("a creation that may overwrite, and may not",
				atomicedit.Op{Kind: atomicedit.OpCreate, Path: "a", Overwrite: true, Exclusive: true}),
			plan("a last line alone", accepttest.Edit("a", atomicedit.Edit{Old: "x", Last: 2})),
			plan("lines, all of them", accepttest.Edit("a", atomicedit.Edit{First: 1, Last: 1, Count: atomicedit.All})),
			plan("an insertion, twice", accepttest.Edit("a", atomicedit.Edit{New: "y\n", WholeLines: true, Count: 2})),
			plan("a range and a text", accepttest.Edit("a",
				atomicedit.Edit{Old: "x", New: "y", Range: accepttest.Ranged(1, 0, 1, 1, "").Range})),
			plan("a range, everywhere", accepttest.Edit("a",
				atomicedit.Edit{New: "y", Count: atomicedit.All, Range: accepttest.Ranged(1, 0, 1, 1, "").Range})),
			plan("a hunk of a part of a line", accepttest.Edit("a", atomicedit.Edit{Old: "x", New: "y", Hunk: "-+"})),
			plan("a blank anchor", accepttest.Edit("a", atomicedit.Edit{New: "y", Anchors: []string{" "}})),
		}},
		"a diff instead of lines": {setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			h.Show, h.MaxAnswer = "diff", 260
		}},
		"answers with little room": {setup: func(h *atomicedit.Host, _ *atomicedit.Session,
			_ *atomicedit.Mem) {
			h.MaxAnswer = 160
		}},
		"tags of lines": {
			store: func(files map[string]string) atomicedit.Store { return atomicedit.NewMem(files) },
			setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) { h.Tagged = true },
			plans: []planned{
				plan("line 2 by its tag", accepttest.Edit("a",
					accepttest.Tagged(accepttest.LineEdit(2, 2, "BETA\n"), atomicedit.Tag{Line: 2, Hash: "KZJB"}))),
				plan("line 2 by its old tag", accepttest.Edit("a",
					accepttest.Tagged(accepttest.LineEdit(2, 2, "Beta\n"), atomicedit.Tag{Line: 2, Hash: "KZJB"}))),
				plan("a line by its text", accepttest.Edit("a",
					accepttest.Tagged(accepttest.LineEdit(2, 2, "Beta\n"), atomicedit.Tag{Line: 2, Text: "beta"}))),
				plan("a line that is not there",
					accepttest.Edit("a", accepttest.Tagged(accepttest.LineEdit(9, 9, ""),
						atomicedit.Tag{Line: 9, Hash: "JB"}))),
				plan("a tag of another tool", accepttest.Edit("a",
					accepttest.Tagged(accepttest.LineEdit(2, 2, ""), atomicedit.Tag{Line: 2, Hash: "a3"}))),
				plan("a tag of no line", accepttest.Edit("a",
					accepttest.Tagged(accepttest.LineEdit(2, 2, ""), atomicedit.Tag{Hash: "JB"}))),
				plan("lines above", accepttest.Edits("a", "alpha\n", "one\ntwo\nthree\nfour\nfive\nalpha\n")),
				plan("line 4 by its old tag", accepttest.Edit("a",
					accepttest.Tagged(accepttest.LineEdit(4, 4, "DELTA\n"), atomicedit.Tag{Line: 4, Hash: "KSTT"}))),
			},
		},
		"files that have changed since they were read": {setup: changedSince, plans: []planned{
			plan("a line that nobody has changed", accepttest.Edits("changed 1", "four", "4")),
			plan("a line that somebody has changed", accepttest.Edits("changed 2", "eight", "8")),
			plan("a line by its number, above the change",
				accepttest.Edit("changed 3", accepttest.LineEdit(2, 2, "2\n"))),
			plan("a line by its number, below the change",
				accepttest.Edit("changed 3", accepttest.LineEdit(5, 5, "5\n"))),
			plan("a line at the end", accepttest.Edit("changed 4", accepttest.LineEdit(12, 0, "ten\n"))),
			plan("a deletion", accepttest.Remove("changed 5")),
			plan("a move", accepttest.Move("changed 5", "moved")),
			plan("two places", accepttest.Edit("changed 6", atomicedit.Edit{Old: "same\n", New: "other\n", Count: 2})),
			plan("a line that fits another, too", accepttest.Edits("changed 7", "say \"six\"\n", "6\n")),
			plan("a line that somebody has changed in the same way", accepttest.Edits("changed 8", "eight", "EIGHT")),
			plan("all places", accepttest.Edit("changed 9", accepttest.Everywhere("same\n", "other\n"))),
			plan("a text of which somebody has changed one of two places",
				accepttest.Edits("changed, once", "eight", "8")),
			plan("a file that is no longer text", accepttest.Edits("changed, binary", "four", "4")),
			plan("a file in another encoding", accepttest.Edits("changed, latin", "four", "fünf")),
			plan("a file with many changes", accepttest.Edits("changed, long", "first", "FIRST")),
			plan("a file that was moved about by an edit", accepttest.Edits("own", "two\n", "")),
			plan("line 5 of it", accepttest.Edit("own", accepttest.LineEdit(5, 5, "5\n"))),
			plan("line 5 of it, and a text that is nowhere",
				accepttest.Edit("own", accepttest.LineEdit(5, 5, "V\n"),
					atomicedit.Edit{Old: "eleven\n", New: "11\n"})),
			plan("line 5 after a restart", accepttest.Edit("restarted", accepttest.LineEdit(5, 5, "5\n"))),
			plan("lines that were not read",
				accepttest.Edit("unread, but for the first line", accepttest.LineEdit(4, 5, "4\n"))),
			plan("every place in a file that was not read",
				accepttest.Edit("unread, twice", accepttest.Everywhere("four", "4"))),
			plan("every place in a file that was not read, of a text that is not there",
				accepttest.Edit("unread", accepttest.Everywhere("ten", "10"))),
			plan("a loose fit in a file that was not read", accepttest.Edits("unread", "  four\n", "  4\n")),
			plan("the second of two places",
				accepttest.Edit("unread", atomicedit.Edit{Old: "same\n", New: "x\n", WholeLines: true, Near: 10})),
			plan("a file that was not read", accepttest.Edits("unread", "four\n", "4\n")),
		}},
		"a file that has changed, whose text the session has forgotten": {
			setup: func(_ *atomicedit.Host, s *atomicedit.Session, m *atomicedit.Mem) {
				s.Memory = -1
				s.View(context.Background(), "a", 0, 0)
				atomicedit.Run(context.Background(), m,
					atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "two\n", "2\n")}}, nil)
			},
			plans: []planned{
				plan("a text that is there once", accepttest.Edits("a", "four\n", "4\n")),
			},
		},
		"the good edits without the bad ones": {
			setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
				h.Options = &atomicedit.Options{Partial: true}
			},
			plans: []planned{
				plan("three edits", accepttest.Edit("a", atomicedit.Edit{Old: "one", New: "1"},
					atomicedit.Edit{Old: "zwei", New: "2"}, atomicedit.Edit{Old: "three", New: "3"})),
				plan("what comes after", accepttest.Edits("a", "vier", "4"), accepttest.Edits("b", "x", "y"),
					accepttest.Remove("c")),
				plan("nothing is left", accepttest.Edits("a", "vier", "4")),
				plan("two outcomes of one place",
					accepttest.Edit("b", atomicedit.Edit{Old: "y", New: "y1"}, atomicedit.Edit{Old: "y", New: "y2"})),
				plan("lines that the other edit has moved", accepttest.Edit("a",
					atomicedit.Edit{Old: "1\n", New: "0\n1\n"}, atomicedit.Edit{Old: "two\nthree\n", New: "2\n"})),
			},
		},
		"the user changes what is proposed": {
			setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
				h.Approve = func(ctx context.Context, t *atomicedit.Transaction) (*atomicedit.Transaction, error) {
					path := t.Changes()[0].Path
					if path == "taken back" {
						return t.With(ctx, path, t.Changes()[0].Before.Data)
					}
					return t.With(ctx, path, []byte("one\nTWO\nthree\n"))
				}
			},
			plans: []planned{
				plan("an edit that becomes another", accepttest.Edits("changed", "two", "2")),
				plan("one file of two", accepttest.Edits("taken back", "two", "2"),
					accepttest.Edits("kept", "two", "2")),
				plan("nothing is left", accepttest.Edits("taken back", "two", "2")),
			},
		},
		"what an edit leaves open": {plans: []planned{
			plan("all places of lines", accepttest.Edit("same", accepttest.Everywhere("a\nb\na\n", "c\n"))),
			plan("all places of lines, at two depths",
				accepttest.Edit("depths", accepttest.Everywhere("x = 1\ny = 2\n", "    x = 1\n    y = 3\n"))),
			plan("two places of a line", accepttest.Edit("twice", accepttest.Everywhere("x  \n", "y\n"))),
			plan("all places of lines that fit to the letter",
				accepttest.Edit("many", accepttest.Everywhere("f(1)\n", "f(3)\n"))),
		}},
	}
}

// changedSince changes files after they were read: in the store, or through the session.
func changedSince(h *atomicedit.Host, s *atomicedit.Session, m *atomicedit.Mem) {
	ctx := context.Background()
	atomicedit.Run(ctx, s, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("restarted", "two\n", "")}}, nil)
	state, _ := json.Marshal(s)
	json.Unmarshal(state, s)
	s.View(ctx, "unread, but for the first line", 1, 1)
	for path, text := range m.Files() {
		if !strings.HasPrefix(path, "changed") {
			continue
		}
		text = strings.NewReplacer("two\n", "two\nsame\nsay \"six\"\n", "eight\n", "EIGHT\n", "odd\n", "").Replace(text)
		if path == "changed, binary" {
			text += "\x00"
		} else if path == "changed, latin" {
			text += "\xff\n"
		}
		atomicedit.Run(ctx, m, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Over(accepttest.Create(path, text))}},
			nil)
	}
}

func plan(name string, ops ...atomicedit.Op) planned { return planned{name, ops} }

// odd is a setting in which the files are in an odd directory.
func odd(o atomicedit.DirOptions, fails ...string) setting {
	return setting{store: func(files map[string]string) atomicedit.Store { return oddDir(files, o, fails...) }}
}

// commitsFail is a setting in which every commit fails.
func commitsFail(err error) setting {
	return setting{store: func(files map[string]string) atomicedit.Store {
		return accepttest.Broken{Store: atomicedit.NewMem(files), Err: err}
	}}
}

// meanwhile is a setting in which somebody else carries op out while the host waits for approval.
func meanwhile(op atomicedit.Op) setting {
	return setting{setup: func(h *atomicedit.Host, _ *atomicedit.Session, m *atomicedit.Mem) {
		h.Approve = func(ctx context.Context, t *atomicedit.Transaction) (*atomicedit.Transaction, error) {
			_, err := atomicedit.Run(ctx, m, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil)
			return t, err
		}
	}}
}

// scenes returns all scenes in order.
func scenes(t *testing.T) (all []scene) {
	t.Helper()
	set := settings()
	for _, s := range accepttest.ReadArchives(t, "testdata/scenes/*.txtar", "scene: ") {
		kind, title, _ := strings.Cut(s.Title, ": ")
		if kind == "scene" {
			all = append(all, scene{name: title, files: map[string]string{}, setting: set[title]})
			delete(set, title)
			continue
		}
		now := &all[len(all)-1]
		switch kind {
		case "file":
			now.files[title] = accepttest.Written(s.Text)
		case "call":
			now.calls = append(now.calls, readCall(title, s.Text))
		default:
			t.Fatalf("scene %q: a section %q", now.name, s.Title)
		}
	}
	for name := range set {
		t.Errorf("there is no scene %q", name)
	}
	return all
}

// readCall returns the call that a section is.
func readCall(title, text string) call {
	before, after, long := strings.Cut(title, "…")
	if long {
		name, start, _ := strings.Cut(before, " {")
		return call{name, "{" + start + accepttest.Args(accepttest.Written(text)) + after}
	}
	switch title {
	case "parse", "blocks", "v4a", "unified", "hashline", "text":
		return call{title, accepttest.Written(text)}
	}
	return call{title, accepttest.Written(strings.TrimSuffix(text, "\n"))}
}

// play writes down what is called, and answered.
func (s scene) play(t *testing.T, b *strings.Builder) {
	mem := atomicedit.NewMem(s.files)
	session := atomicedit.NewSession(mem)
	host := &atomicedit.Host{Store: session}
	if s.store != nil {
		host = &atomicedit.Host{Store: s.store(s.files)}
	}
	host.MaxLine, host.MaxText = 60, 600
	for path := range s.files {
		if !strings.HasPrefix(path, "unread") {
			session.View(t.Context(), path, 0, 0)
		}
	}
	if s.setup != nil {
		s.setup(host, session, mem)
	}
	say := func(asked, status, text string) {
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		fmt.Fprintf(b, ">>> %s\n<<< %s\n%s\n", strings.TrimSuffix(strings.ToValidUTF8(asked, "\uFFFD"), "\n"), status,
			text)
	}
	for _, c := range s.calls {
		status, text := c.answer(t.Context(), host, s.files)
		say(c.name+" "+c.args, status, text)
	}
	for _, p := range s.plans {
		answer, _ := host.Do(t.Context(), atomicedit.Plan{Ops: p.ops})
		say("a plan: "+p.name, answer.Status, answer.Text)
	}
}

// answer carries out a call.
func (c call) answer(ctx context.Context, host *atomicedit.Host, files map[string]string) (status, text string) {
	if name, ok := strings.CutPrefix(c.name, "cancelled "); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		cancel()
		c.name = name
	}
	var plan atomicedit.Plan
	var err error
	switch c.name {
	case "parse":
		plan, err = atomicedit.Parse(c.args)
	case "text":
		if plan, err = atomicedit.Parse(c.args); err == nil {
			_, err = plan.Apply([]byte(files["a"]), nil)
		}
	case "blocks":
		plan, err = atomicedit.ParseBlocks(c.args)
	case "v4a":
		plan, err = atomicedit.ParseV4A(c.args)
	case "unified":
		plan, err = atomicedit.ParseUnified(c.args)
	case "hashline":
		plan, err = atomicedit.Parse(c.args)
	case "json":
		plan, err = atomicedit.ParseJSON([]byte(c.args))
	case "lsp":
		plan, err = atomicedit.ParseLSP([]byte(c.args))
	case "view":
		var path string
		var first, last int
		fmt.Sscan(c.args, &path, &first, &last)
		answer, _ := host.View(ctx, path, first, last)
		return answer.Status, answer.Text
	default:
		answer, _ := host.Call(ctx, c.name, []byte(c.args))
		return answer.Status, answer.Text
	}
	if err != nil {
		return "refused", err.Error()
	}
	answer, _ := host.Do(ctx, plan)
	return answer.Status, answer.Text
}
