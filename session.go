package atomicedit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Session is a [Store] that remembers what a conversation has seen of another. Use one for each conversation. It is safe
// for concurrent use.
//
// A file that was never seen, or has changed since, cannot be edited, overwritten, moved or deleted through it: [Prepare]
// refuses with [ErrUnread] or [ErrStale]. One that was seen only in part, or whose number of lines an own commit has changed,
// can be edited by text, moved and deleted, but not overwritten (by a new content or by a move onto it), nor edited by line
// numbers, whichever lines they are: that is ErrUnread until all of it was seen, in one view or in several of the same
// version. What the session commits counts as seen, and there is nothing to see in an empty file.
//
// Commit itself leaves that to Prepare: changes from elsewhere, such as those of [Invert], need not have been seen. What
// a conversation has seen is kept in memory, a few ranges of lines for each file.
type Session struct {
	store Store
	mu    sync.Mutex
	seen  map[string]*sight // by the store's name, or by the clean path that a host told
	made  int               // how many commits there were
}

// A sight is what a conversation has seen of one file.
type sight struct {
	version Version
	all     bool
	lines   []lineRange // sorted, apart from one another; unless all
	shifted bool        // an own commit has changed the number of lines
	made    int         // the number of the own commit that made this version, 0 if none
}

// A lineRange is lines first to last, counted from 1.
type lineRange struct{ first, last int }

// NewSession returns a Session of s that has seen nothing.
func NewSession(s Store) *Session { return &Session{store: s, seen: map[string]*sight{}} }

// View reads a file for the conversation, and remembers that it has seen the lines first to last, counted from 1; 0 stands for
// the first and the last there is. The File is whole: the host cuts out the lines.
func (s *Session) View(ctx context.Context, path string, first, last int) (*File, error) {
	since := s.commits()
	f, err := s.store.Read(ctx, path)
	if err != nil {
		return f, err
	}
	if first <= 0 {
		first = 1
	}
	if last <= 0 {
		last = countLines(f.Data)
	}
	s.shown(f, path, since, lineRange{first, last})
	return f, nil
}

// commits returns how many commits there were, for shown.
func (s *Session) commits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

// shown remembers that the conversation was shown lines of a file, read when there were so many commits. What an own commit has outdated since is nothing to remember: the conversation knows better.
func (s *Session) shown(f *File, path string, since int, ranges ...lineRange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, v := nameOf(f, path), VersionOf(f.Data)
	if now := s.seen[name]; now != nil && now.made > since && now.version != v {
		return
	}
	n := countLines(f.Data)
	for _, r := range ranges {
		switch {
		case r.first == 1 && r.last == n:
			s.saw(name, v, 0, 0)
		case r.last >= r.first:
			s.saw(name, v, r.first, r.last)
		}
	}
}

// Saw tells the session that the conversation has seen the lines first to last of path, when its content was v; for hosts
// with a read tool of their own. 0 and 0 are all lines; a last line before the first is none.
func (s *Session) Saw(path string, v Version, first, last int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saw(nameOf(nil, path), v, first, last)
}

func (s *Session) saw(name string, v Version, first, last int) {
	now := s.seen[name]
	if now == nil || now.version != v || now.shifted {
		now = &sight{version: v}
		s.seen[name] = now
	}
	if now.all || first <= 0 && last <= 0 {
		now.all, now.lines = true, nil
		return
	}
	now.lines = append(now.lines, lineRange{max(first, 1), last})
	slices.SortFunc(now.lines, func(a, b lineRange) int { return a.first - b.first })
	joined := now.lines[:0]
	for _, r := range now.lines {
		if n := len(joined); n > 0 && r.first <= joined[n-1].last+1 {
			joined[n-1].last = max(joined[n-1].last, r.last)
		} else if r.last >= r.first {
			joined = append(joined, r)
		}
	}
	now.lines = joined
}

// nameOf returns the name under which a file is remembered.
func nameOf(f *File, path string) string {
	if f != nil && f.Path != "" {
		return f.Path
	}
	if clean, err := cleanPath(path); err == nil {
		return clean
	}
	return path
}

// Read implements [Store]. What was never seen is [ErrUnread], what has changed since is [ErrStale].
func (s *Session) Read(ctx context.Context, path string) (*File, error) {
	f, err := s.store.Read(ctx, path)
	if err != nil {
		return f, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := nameOf(f, path)
	seen := s.seen[name]
	if told := s.seen[nameOf(nil, path)]; seen == nil && told != nil {
		seen, s.seen[name] = told, told
	}
	switch {
	case seen == nil && len(f.Data) == 0:
		return f, nil
	case seen == nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("%w; read it first", ErrUnread)}
	case seen.version != VersionOf(f.Data):
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrStale}
	}
	f = f.clone()
	f.unseen = seen.unseen(f.Data)
	return f, nil
}

// unseen says what of a text was not seen, "" if nothing.
func (g *sight) unseen(text []byte) string {
	if g.shifted {
		return "an edit has changed the number of its lines"
	}
	if g.all {
		return ""
	}
	var gaps []string
	next, n := 1, countLines(text)
	for _, r := range append(slices.Clone(g.lines), lineRange{n + 1, n + 1}) {
		switch last := min(r.first-1, n); {
		case last > next:
			gaps = append(gaps, fmt.Sprintf("%d-%d", next, last))
		case last == next:
			gaps = append(gaps, strconv.Itoa(next))
		}
		next = max(next, r.last+1)
	}
	switch {
	case len(gaps) == 0:
		return ""
	case len(gaps) == 1 && !strings.Contains(gaps[0], "-"):
		return "not yet read: line " + gaps[0]
	}
	return "not yet read: lines " + strings.Join(gaps, ", ")
}

// Commit implements [Store]. The store below checks that nothing has changed; what was committed counts as seen.
func (s *Session) Commit(ctx context.Context, changes []Change) error {
	err := s.store.Commit(ctx, changes)
	if err != nil && !errors.Is(err, ErrNotDurable) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
	seen := map[string]*sight{}
	for _, c := range changes {
		if c.After != nil {
			name := nameOf(c.After, c.Path)
			seen[name] = s.after(c, changes)
			seen[name].made = s.made
		}
	}
	for _, c := range changes {
		delete(s.seen, nameOf(c.Before, c.Path))
	}
	for name, now := range seen {
		s.seen[name] = now
	}
	return err
}

// after returns what is seen of a file once the conversation has made the change c.
func (s *Session) after(c Change, changes []Change) *sight {
	now := &sight{version: VersionOf(c.After.Data), all: true}
	base := c
	if c.From != "" {
		at := slices.IndexFunc(changes, func(d Change) bool { return d.Path == c.From && d.After == nil })
		if at >= 0 {
			base = changes[at]
		}
	}
	if c.After.written || base.Before == nil {
		return now
	}
	was := s.seen[nameOf(base.Before, base.Path)]
	if countLines(base.Before.Data) != countLines(c.After.Data) {
		now.all, now.shifted = false, true
	} else if was != nil {
		now.all, now.lines, now.shifted = was.all, was.lines, was.shifted
	}
	return now
}

// respells is what the store below says of two names of one file.
func (s *Session) respells(from, to string) bool {
	store, ok := s.store.(interface{ respells(from, to string) bool })
	return ok && store.respells(from, to)
}

var _ Store = (*Session)(nil)
