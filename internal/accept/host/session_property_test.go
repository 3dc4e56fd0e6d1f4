package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A sessionModel knows what a conversation has seen of one file, line by line.
type sessionModel struct {
	store   *atomicedit.Mem
	session *atomicedit.Session
	lines   []string
	known   bool   // some version was seen…
	current bool   // …and it is the one that is there
	shifted bool   // an own edit has changed the number of lines
	seen    []bool // by line
	n       int    // to make new lines
}

func (m *sessionModel) text() string { return strings.Join(m.lines, "\n") + "\n" }

func (m *sessionModel) fresh() string {
	m.n++
	return fmt.Sprintf("line %d.", m.n)
}

// do carries out an op through the session, and expects it to be refused with want, or to be done.
func (m *sessionModel) do(t *rapid.T, what string, op atomicedit.Op, allowed bool) bool {
	_, err := atomicedit.Run(t.Context(), m.session, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil)
	want := error(nil)
	switch {
	case !m.known:
		want = atomicedit.ErrUnread
	case !m.current:
		want = atomicedit.ErrStale
	case !allowed:
		want = atomicedit.ErrUnread
	}
	if !errors.Is(err, want) {
		t.Fatalf("%s: %v, want %v", what, err, want)
	}
	return err == nil
}

func (m *sessionModel) all() bool {
	for _, s := range m.seen {
		if !s {
			return false
		}
	}
	return !m.shifted
}

// ranges returns the lines that were seen, as Session.Seen has them.
func (m *sessionModel) ranges() [][2]int {
	if m.all() {
		return nil
	}
	ranges := [][2]int{}
	for i, seen := range m.seen {
		switch n := len(ranges); {
		case !seen:
		case i > 0 && m.seen[i-1]:
			ranges[n-1][1] = i + 1
		default:
			ranges = append(ranges, [2]int{i + 1, i + 1})
		}
	}
	return ranges
}

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

// A Session allows exactly what its documentation says, in any order of events.
func TestSessionIsLikeItsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &sessionModel{lines: []string{"a", "b", "c", "d"}}
		m.store = atomicedit.NewMem(map[string]string{"f": m.text()})
		m.session = atomicedit.NewSession(m.store)
		m.seen = make([]bool, len(m.lines))
		pick := func() int { return rapid.IntRange(0, len(m.lines)-1).Draw(t, "line") }
		t.Repeat(map[string]func(*rapid.T){
			"view": func(t *rapid.T) {
				first := pick()
				last := rapid.IntRange(first, len(m.lines)-1).Draw(t, "last")
				if _, err := m.session.View(t.Context(), "f", first+1, last+1); err != nil {
					t.Fatal(err)
				}
				if !m.current || m.shifted {
					m.seen = make([]bool, len(m.lines))
				}
				m.known, m.current, m.shifted = true, true, false
				for i := first; i <= last; i++ {
					m.seen[i] = true
				}
			},
			"change it elsewhere": func(t *rapid.T) {
				m.lines[pick()] = m.fresh()
				if _, err := atomicedit.Run(t.Context(), m.store, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Over(accepttest.Create("f", m.text()))}}, nil); err != nil {
					t.Fatal(err)
				}
				m.current = false
			},
			"edit by text": func(t *rapid.T) {
				i, line := pick(), m.fresh()
				if m.do(t, "edit by text", accepttest.Edits("f", m.lines[i], line), true) {
					m.lines[i] = line
				}
			},
			"insert by text": func(t *rapid.T) {
				i, line := pick(), m.fresh()
				if m.do(t, "insert by text", accepttest.Edits("f", m.lines[i]+"\n", m.lines[i]+"\n"+line+"\n"), true) {
					m.lines = append(m.lines[:i+1:i+1], append([]string{line}, m.lines[i+1:]...)...)
					m.shifted, m.seen = true, make([]bool, len(m.lines))
				}
			},
			"edit by number": func(t *rapid.T) {
				i, line := pick(), m.fresh()
				if m.do(t, "edit by number", byNumber("f", i+1, i+1, line+"\n"), m.all()) {
					m.lines[i] = line
				}
			},
			"overwrite": func(t *rapid.T) {
				was := m.lines
				m.lines = []string{m.fresh(), m.fresh(), m.fresh()}
				if !m.do(t, "overwrite", accepttest.Over(accepttest.Create("f", m.text())), m.all()) {
					m.lines = was
					return
				}
				m.shifted, m.seen = false, []bool{true, true, true}
			},
			"go on in another process": func(t *rapid.T) {
				state := stateOf(t, m.session)
				m.session = atomicedit.NewSession(m.store)
				m.session.MarkRead("f", atomicedit.VersionOf(nil), 0, 0) // forgotten by UnmarshalJSON
				accepttest.Restore(t, m.session, state)
				if diff := cmp.Diff(state, stateOf(t, m.session)); diff != "" {
					t.Fatalf("the state is another one (-before +after):\n%s", diff)
				}
			},
			"": func(t *rapid.T) {
				v, lines, ok := m.session.Seen("f")
				if ok != m.known || m.known && m.current != (v == atomicedit.VersionOf([]byte(m.text()))) {
					t.Fatalf("seen: %s, %v, %t", v, lines, ok)
				}
				if m.current && !cmp.Equal(lines, m.ranges()) {
					t.Fatalf("seen: the lines %v, want %v", lines, m.ranges())
				}
				if got := m.store.Files()["f"]; got != m.text() {
					t.Fatalf("the file is %q, want %q", got, m.text())
				}
			},
		})
	})
}
