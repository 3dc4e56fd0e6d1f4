package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// stateOf returns what a session knows, as its JSON says.
func stateOf(t interface{ Fatal(...any) }, s *atomicedit.Session) (st accepttest.SessionState) {
	data, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(data, &st)
	}
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// unseen returns what a session says that it has not seen of a file.
func unseen(s *atomicedit.Session, path string) (string, error) {
	_, err := s.Read(context.Background(), path)
	if !errors.Is(err, atomicedit.ErrUnread) {
		return "", err
	}
	_, part, _ := strings.Cut(err.Error(), "read the whole file first (")
	part, _, ok := strings.Cut(part, ")")
	if !ok {
		return "", err
	}
	return part, nil
}

// A sessionModel follows every line of one file by its text, which no other line ever has.
type sessionModel struct {
	store   *atomicedit.Mem
	session *atomicedit.Session
	lines   []string
	numbers map[int]string  // the line that the conversation means by a number
	shown   map[string]bool // lines that it was shown, or has written
	n       int             // to make new lines

	restored bool // the session has forgotten what it was shown of earlier texts
}

func (m *sessionModel) text() string { return strings.Join(append(slices.Clone(m.lines), ""), "\n") }

func (m *sessionModel) fresh() string {
	m.n++
	return fmt.Sprintf("line %d.", m.n)
}

// do carries out an op of the conversation that makes want of the lines. If it is refused, nothing has changed.
func (m *sessionModel) do(t *rapid.T, op atomicedit.Op, want []string) bool {
	was := m.text()
	_, err := atomicedit.Run(t.Context(), m.session, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil)
	if err == nil {
		m.lines = want
	} else if !errors.Is(err, atomicedit.ErrUnread) && !errors.Is(err, atomicedit.ErrStale) {
		t.Fatalf("%+v: %v", op, err)
	} else if m.store.Files()["f"] != was {
		t.Fatalf("refused, and the file is %q", m.store.Files()["f"])
	}
	return err == nil
}

// elsewhere carries out a change of somebody else.
func (m *sessionModel) elsewhere(t *rapid.T, lines []string) {
	m.lines = lines
	before, err := m.store.Read(t.Context(), "f")
	if err == nil {
		err = m.store.Commit(t.Context(),
			[]atomicedit.Change{{Path: "f", Before: before, After: &atomicedit.File{Data: []byte(m.text())}}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever others do meanwhile: an edit by text changes the line that has the text, an edit by number the line that the
// conversation has seen under that number, and nothing is replaced as a whole of which it does not know every line.
func TestNobodysLineIsLostInASession(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &sessionModel{lines: []string{"line a.", "line b.", "line c.", "line d.", "line e.", "line f."},
			numbers: map[int]string{}, shown: map[string]bool{}}
		m.store = atomicedit.NewMem(map[string]string{"f": m.text()})
		m.session = atomicedit.NewSession(m.store)
		pick := func(t *rapid.T) int { return rapid.IntRange(0, len(m.lines)-1).Draw(t, "line") }
		with := func(i, n int, lines ...string) []string {
			return slices.Replace(slices.Clone(m.lines), i, i+n, lines...)
		}
		view := func(t *rapid.T, first, last int) {
			if _, err := m.session.View(t.Context(), "f", first+1, last+1); err != nil {
				t.Fatal(err)
			}
			for i := first; i <= last; i++ {
				m.numbers[i+1], m.shown[m.lines[i]] = m.lines[i], true
			}
			if n := len(m.lines); last == n-1 {
				maps.DeleteFunc(m.numbers, func(i int, _ string) bool { return i > n })
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"view": func(t *rapid.T) {
				first := pick(t)
				view(t, first, rapid.IntRange(first, len(m.lines)-1).Draw(t, "last"))
			},
			"somebody changes a line": func(t *rapid.T) { m.elsewhere(t, with(pick(t), 1, m.fresh())) },
			"somebody adds a line":    func(t *rapid.T) { m.elsewhere(t, with(pick(t), 0, m.fresh())) },
			"somebody removes a line": func(t *rapid.T) {
				i := pick(t)
				m.elsewhere(t,
					with(i, min(1, len(m.lines)-1)))
			},
			"somebody rewrites it all": func(t *rapid.T) { m.elsewhere(t, []string{m.fresh(), m.fresh(), m.fresh()}) },
			"edit by text": func(t *rapid.T) {
				i, line := pick(t), m.fresh()
				old := m.lines[i]
				if m.do(t, accepttest.Edits("f", old, line), with(i, 1, line)) {
					m.shown[line] = true
					for n, l := range m.numbers {
						if l == old {
							m.numbers[n] = line
						}
					}
				}
			},
			"insert by text": func(t *rapid.T) {
				i, line := pick(t), m.fresh()
				old := m.lines[i]
				if m.do(t, accepttest.Edits("f", old+"\n", old+"\n"+line+"\n"), with(i, 1, old, line)) {
					m.shown[line] = true
				}
			},
			"edit by number": func(t *rapid.T) {
				n, line := 1+pick(t), m.fresh()
				old := m.numbers[n]
				at, want := slices.Index(m.lines, old), []string{}
				if at >= 0 {
					want = with(at, 1, line)
				}
				if m.do(t, byNumber("f", n, n, line+"\n"), want) {
					m.numbers[n], m.shown[line] = line, true
				}
			},
			"delete by number": func(t *rapid.T) {
				n := 1 + pick(t)
				at, want := slices.Index(m.lines, m.numbers[n]), []string{}
				switch {
				case len(m.lines) == 1: // the model has no empty file
					return
				case at >= 0:
					want = with(at, 1)
				}
				if m.do(t, byNumber("f", n, n, ""), want) {
					delete(m.numbers, n)
				}
			},
			// above what was seen as line n, or below what was seen as the one before
			"insert by number": func(t *rapid.T) {
				n, line := 1+rapid.IntRange(0, len(m.lines)).Draw(t, "number"), m.fresh()
				was := slices.Clone(m.lines)
				if !m.do(t, byNumber("f", n, 0, line+"\n"), nil) {
					return
				}
				m.lines = strings.Split(strings.TrimSuffix(m.store.Files()["f"], "\n"), "\n")
				at := slices.Index(m.lines, line)
				above := n == 1 && at == 0 || at > 0 && m.lines[at-1] == m.numbers[n-1]
				below := at+1 < len(m.lines) && m.lines[at+1] == m.numbers[n] ||
					at+1 == len(m.lines) && (m.numbers[n] == "" || m.restored)
				if !above && !below {
					t.Fatalf("inserted at %d of %q, meant %q, %q", n, m.lines, m.numbers[n-1], m.numbers[n])
				}
				if want := slices.Insert(was, at, line); !slices.Equal(m.lines, want) {
					t.Fatalf("the file is %q", m.lines)
				}
				m.shown[line] = true
			},
			"edit by number after a view": func(t *rapid.T) {
				i, line := pick(t), m.fresh()
				view(t, i, i)
				if !m.do(t, byNumber("f", i+1, i+1, line+"\n"), with(i, 1, line)) {
					t.Fatal("refused")
				}
				m.numbers[i+1], m.shown[line] = line, true
			},
			"overwrite": func(t *rapid.T) {
				known := !slices.ContainsFunc(m.lines, func(l string) bool { return !m.shown[l] })
				lines := []string{m.fresh(), m.fresh(), m.fresh()}
				content := strings.Join(append(slices.Clone(lines), ""), "\n")
				if m.do(t, accepttest.Over(accepttest.Create("f", content)), lines) {
					if !known {
						t.Fatal("it does not know all lines")
					}
					m.numbers = map[int]string{}
					for i, l := range lines {
						m.numbers[i+1], m.shown[l] = l, true
					}
				}
			},
			"go on in another process": func(t *rapid.T) {
				state := stateOf(t, m.session)
				m.session = atomicedit.NewSession(m.store)
				m.session.MarkRead("f", atomicedit.VersionOf(nil), 0, 0) // forgotten by UnmarshalJSON
				accepttest.Restore(t, m.session, state)
				m.restored = true
				if diff := cmp.Diff(state, stateOf(t, m.session)); diff != "" {
					t.Fatalf("the state is another one (-before +after):\n%s", diff)
				}
			},
			"": func(t *rapid.T) {
				if got := m.store.Files()["f"]; got != m.text() {
					t.Fatalf("the file is %q, want %q", got, m.text())
				}
			},
		})
	})
}
