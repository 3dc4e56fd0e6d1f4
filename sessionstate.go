package atomicedit

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/atomicedit/atomicedit/internal/names"
)

// A sessionState is what a [Session] knows, as JSON has it.
type sessionState struct {
	Files []seenFile        `json:"files,omitempty"` // sorted by their paths, each of which is there once
	Names map[string]string `json:"names,omitempty"` // the store's path of a file, by another that MarkRead was given, such as that of a link
}

// A seenFile is what a conversation has seen of one version of a file.
type seenFile struct {
	Path    string   `json:"path"` // the store's name for the file, or a clean path that MarkRead was given
	Version Version  `json:"version"`
	All     bool     `json:"all,omitempty"`     // all lines were seen; Lines is empty
	Lines   [][2]int `json:"lines,omitempty"`   // ranges of lines seen, first and last, from 1, in order and with gaps between them
	Shifted bool     `json:"shifted,omitempty"` // the lines have got other numbers in this version, and none was seen since
}

// MarshalJSON returns what s knows, for a host that keeps conversations longer than its process lives. It fails if s has no store,
// or if a path is not valid UTF-8.
func (s *Session) MarshalJSON() ([]byte, error) {
	if s.isZero() {
		return nil, errNoSession
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var st sessionState
	for _, path := range slices.Sorted(maps.Keys(s.seen)) {
		g := s.seen[path]
		f := seenFile{Path: path, Version: g.version, All: g.all, Shifted: g.shifted}
		if len(g.lines) > 0 {
			f.Lines = g.ranges()
		}
		st.Files = append(st.Files, f)
	}
	st.Names = s.names
	return marshal(st)
}

// UnmarshalJSON makes s, which [NewSession] has made, know what MarshalJSON wrote, and nothing else: two sessions that know the same
// refuse the same. The JSON may come from any session on the same files. Files that have changed since are [ErrStale], as
// always. An entry that makes no sense counts as unread. The ranges of lines may be in any order, and may overlap.
func (s *Session) UnmarshalJSON(data []byte) error {
	if s.isZero() {
		return errNoSession
	}
	var st sessionState
	if err := json.Unmarshal(data, &st); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits++ // a read that is on its way is of before
	entries := map[string]int{}
	for _, f := range st.Files {
		entries[f.Path]++
	}
	s.seen, s.names = map[string]sight{}, st.Names
	for _, f := range st.Files {
		if g, ok := f.sight(); ok && entries[f.Path] == 1 {
			g.commit = s.commits
			s.seen[f.Path] = g
		}
	}
	return nil
}

// Seen returns what the conversation has seen of a file, and of which version: ranges of lines, first and last, from 1, in order and
// with gaps between them. Nil ranges mean all lines. No ranges, but not nil, mean that it knows the file, but of no line by its number:
// for instance, because its own edit has changed the number of lines. If it does not know the file, ok is false.
//
// Seen reads nothing: the file may have changed since, and an empty file that nobody has viewed is unknown. The path is the store's name
// for the file, or one that [Session.MarkRead] was given; it need not be clean.
func (s *Session) Seen(path string) (v Version, lines [][2]int, ok bool) {
	if s.isZero() {
		return "", nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range []string{path, s.nameFor(path), s.nameFor(names.WithSlashes(path))} {
		if g, ok := s.seen[name]; ok {
			return g.version, g.ranges(), true
		}
	}
	return "", nil, false
}

// ranges returns the lines of g as a caller has them: nil for all.
func (g sight) ranges() [][2]int {
	if g.all {
		return nil
	}
	ranges := make([][2]int, len(g.lines))
	for i, r := range g.lines {
		ranges[i] = [2]int{r.first, r.last}
	}
	return ranges
}

// sight returns what f says. It reports false if f makes no sense.
func (f seenFile) sight() (g sight, ok bool) {
	g = sight{version: f.Version, all: f.All, shifted: f.Shifted}
	some := len(f.Lines) > 0
	if f.Path == "" || !f.Version.isHash() || f.All && some || f.Shifted && (f.All || some) {
		return g, false
	}
	for _, r := range f.Lines {
		if r[0] < 1 || r[1] < r[0] {
			return g, false
		}
	}
	lines := make([]lineRange, len(f.Lines))
	for i, r := range f.Lines {
		lines[i] = lineRange{r[0], r[1]}
	}
	g.lines = merged(lines)
	return g, true
}
