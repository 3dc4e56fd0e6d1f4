package atomicedit

import (
	"maps"
	"slices"

	"github.com/atomicedit/atomicedit/internal/names"
)

// A SessionState is what a [Session] knows, for a host that keeps conversations longer than its process lives. It is plain data, and
// survives JSON exactly. A state with a path that is not valid UTF-8 does not marshal. The zero value knows of no file.
type SessionState struct {
	Files []SeenFile `json:"files,omitempty"` // sorted by their paths, each of which is there once

	// Names has the store's path of a file by another that [Session.MarkRead] was given, such as that of a link.
	Names map[string]string `json:"names,omitempty"`
}

// A SeenFile is what a conversation has seen of one version of a file. The zero value names no file.
type SeenFile struct {
	Path    string   `json:"path"` // the store's name for the file, or a clean path that [Session.MarkRead] was given
	Version Version  `json:"version"`
	All     bool     `json:"all,omitempty"`   // all lines were seen; Lines is empty
	Lines   [][2]int `json:"lines,omitempty"` // ranges of lines seen, first and last, from 1, in order and with gaps between them

	// Shifted says that a commit of the session has made this version and changed the number of lines, or that a formatter has. No line
	// was seen since.
	Shifted bool `json:"shifted,omitempty"`
}

// State returns what s knows. Two sessions with equal states refuse the same, and a new session continues where s is now once
// [Session.Restore] has given it the state. A Session without a store knows nothing.
func (s *Session) State() SessionState {
	if s.isZero() {
		return SessionState{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var st SessionState
	for _, path := range slices.Sorted(maps.Keys(s.seen)) {
		g := s.seen[path]
		f := SeenFile{Path: path, Version: g.version, All: g.all, Shifted: g.shifted}
		if len(g.lines) > 0 {
			f.Lines = g.ranges()
		}
		st.Files = append(st.Files, f)
	}
	if len(s.names) > 0 {
		st.Names = maps.Clone(s.names)
	}
	return st
}

// Restore makes s know what st says, and nothing else. The state may come from any session on the same files. Files that have changed since
// are [ErrStale], as always. An entry that makes no sense counts as unread: one without a path, with a version that [VersionOf] does not
// return, with ranges of lines that no file has, with more than one of All, Lines and Shifted, or for a path that another entry has too.
// The ranges may be in any order, and may overlap.
func (s *Session) Restore(st SessionState) {
	if s.isZero() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits++ // a read that is on its way is of before
	entries := map[string]int{}
	for _, f := range st.Files {
		entries[f.Path]++
	}
	s.seen, s.names = map[string]sight{}, maps.Clone(st.Names)
	for _, f := range st.Files {
		if g, ok := f.sight(); ok && entries[f.Path] == 1 {
			g.commit = s.commits
			s.seen[f.Path] = g
		}
	}
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
func (f SeenFile) sight() (g sight, ok bool) {
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
