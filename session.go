package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/names"
)

// A Session is a [Store] that wraps another one and remembers what a conversation has seen of its files. Use one
// Session for each conversation. It is safe for concurrent use. The zero value has no store: its methods fail with an
// error that says so.
//
// A file that the conversation has not seen, or that has changed since, cannot be edited, overwritten, moved or
// deleted: [Prepare] refuses with [ErrUnread] or [ErrStale]. A file that it has seen only in part, or whose number of
// lines one of its own commits has changed, can be edited by text, moved and deleted, but not overwritten or edited by
// line numbers, unless a [Tag] proves them. Content that the session commits counts as seen, and so does an empty file.
// In the repository, docs/hosting.md has the rules.
//
// Commit does not check any of this: changes from elsewhere, such as those of [Invert], need not have been seen. A
// Session keeps a few ranges of lines in memory for each file. As JSON, they go from one process to the next. A wrapper
// of a Session needs an Unwrap method: see [Store].
type Session struct {
	store Store

	mu      sync.Mutex
	seen    map[string]sight  // by the store's path, or by the clean path that a host named
	names   map[string]string // the store's path of a file, by another that a host named
	commits int               // the number of commits so far
}

// A sight is what a conversation has seen of one file.
type sight struct {
	version Version
	all     bool
	lines   [][2]int // ranges, first and last, sorted, with gaps between them; unless all
	shifted bool     // a commit of this session has changed the number of lines
	commit  int      // the number of the commit of this session that made this version, 0 if none did
}

// NewSession returns a Session on s that has seen nothing.
func NewSession(s Store) *Session { return &Session{store: s} }

// isZero reports whether s was not made by NewSession, or without a store.
func (s *Session) isZero() bool { return s == nil || s.store == nil }

var errNoSession = errors.New("atomicedit: the Session has no store: make one with NewSession")

// View reads a file for the conversation, and remembers that it has seen the lines first to last, counted from 1. A
// first of 0 means the first line of the file, and a last of 0 means its last line. View returns the whole file; the
// caller selects the lines to show. It reads backslashes as [Prepare] does.
func (s *Session) View(ctx context.Context, path string, first, last int) (*File, error) {
	since := s.count()
	f, path, err := readNamed(path, func(path string) (*File, error) { return s.readAny(ctx, path) })
	if err != nil {
		return f, err
	}
	if last <= 0 {
		last = countLines(f.Data)
	}
	s.shown(f, path, since, [2]int{max(first, 1), last})
	return f, nil
}

// readAny reads a file whether it was seen or not.
func (s *Session) readAny(ctx context.Context, path string) (*File, error) {
	if s.isZero() {
		return nil, errNoSession
	}
	return s.store.Read(ctx, path)
}

// count returns how many commits there were, for shown.
func (s *Session) count() int {
	if s.isZero() {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commits
}

// shown records that the conversation was shown lines of a file, which was read after since commits. If a commit of
// this session has replaced that version meanwhile, there is nothing to record: the conversation knows a newer one.
func (s *Session) shown(f *File, path string, since int, ranges ...[2]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, v := nameOf(f, path), VersionOf(f.Data)
	if now, ok := s.seen[name]; ok && now.commit > since && now.version != v {
		return
	}
	n := countLines(f.Data)
	for _, r := range ranges {
		switch {
		case r == [2]int{1, n}:
			s.saw(name, v, 0, 0)
		case r[1] >= r[0]:
			s.saw(name, v, r[0], r[1])
		}
	}
	if lines := s.seen[name].lines; len(lines) == 1 && lines[0][0] == 1 && lines[0][1] >= n {
		s.saw(name, v, 0, 0)
	}
}

// MarkRead tells the session that the conversation has seen the lines first to last of the file at path, when its
// content was v. It is for hosts that have their own read tool. The path may be absolute in a [Dir]. If both are 0, it
// has seen all lines; if last is less than first, none. With a v that [VersionOf] does not return, the file counts as
// unread. If a host knows only when it read the file, it passes the version of the file as it is now, unless the file
// was modified after that time.
func (s *Session) MarkRead(path string, v Version, first, last int) {
	if s.isZero() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saw(s.nameFor(path), v, first, last)
	if slashes := names.WithSlashes(path); slashes != path {
		s.saw(s.nameFor(slashes), v, first, last)
	}
}

// nameFor returns the name under which s remembers the file at a path that a host names: that of the store, where it
// can be told without reading. The caller holds the lock.
func (s *Session) nameFor(path string) string {
	name := s.below(path)
	if _, ok := s.seen[name]; ok {
		return name
	}
	return cmp.Or(s.names[name], name)
}

// below returns the clean path that a host names, without the root of the store if it is absolute.
func (s *Session) below(named string) string {
	name := nameOf(nil, named)
	if path.IsAbs(name) && !strings.HasSuffix(name, "/") { // a slash at the end asks for a directory
		name = path.Clean(name)
	}
	if roots := rootsOf(s.store); roots != nil {
		if clean, err := CleanPath(strings.TrimPrefix(name, names.Below(roots[0], ""))); err == nil {
			return clean
		}
	}
	return name
}

// saw records that lines of a file were seen. The caller holds the lock.
func (s *Session) saw(name string, v Version, first, last int) {
	if s.seen == nil {
		s.seen = map[string]sight{}
	}
	now := s.seen[name]
	if !v.isHash() {
		delete(s.seen, name)
		return
	}
	if now.version != v || now.shifted {
		now = sight{version: v}
	}
	s.seen[name] = now.with(first, last)
}

// with returns g with the lines first to last, or with all if both are 0.
func (g sight) with(first, last int) sight {
	if g.all || first == 0 && last == 0 {
		g.all, g.lines = true, nil
		return g
	}
	g.lines = merged(append(slices.Clone(g.lines), [2]int{max(first, 1), last}))
	return g
}

// merged sorts ranges of lines, merges those that meet, and drops those without lines.
func merged(lines [][2]int) (all [][2]int) {
	slices.SortFunc(lines, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	for _, r := range lines {
		if n := len(all); n > 0 && r[0]-1 <= all[n-1][1] {
			all[n-1][1] = max(all[n-1][1], r[1])
		} else if r[1] >= r[0] {
			all = append(all, r)
		}
	}
	return all
}

// nameOf returns the name under which a session remembers a file.
func nameOf(f *File, path string) string {
	if f != nil && f.Path != "" {
		return f.Path
	}
	if clean, err := CleanPath(path); err == nil {
		return clean
	}
	return path
}

// Read implements [Store]. A file that was not seen, or only in part, is [ErrUnread]; one that has changed since is
// [ErrStale].
func (s *Session) Read(ctx context.Context, path string) (*File, error) {
	f, unseen, err := s.readSeen(ctx, path)
	if err == nil && unseen != "" {
		err = fmt.Errorf("read the whole file first (%s): %w", unseen, ErrUnread)
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return f, err
}

// readSeen returns a file that the conversation has seen at least in part. Unseen tells the model in words what it has
// not seen; "" means that it has seen everything. Otherwise readSeen fails as Read does.
func (s *Session) readSeen(ctx context.Context, path string) (f *File, unseen string, err error) {
	if f, err = s.readAny(ctx, path); err != nil {
		return f, "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name, v := nameOf(f, path), VersionOf(f.Data)
	s.join(path, name, v)
	seen, ok := s.seen[name]
	switch {
	case !ok && len(f.Data) == 0:
		return f, "", nil
	case !ok:
		return nil, "", &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("%w; read it first", ErrUnread)}
	case seen.version != v:
		return nil, "", &fs.PathError{Op: "open", Path: path, Err: ErrStale}
	}
	return f, seen.unseen(f.Data), nil
}

// join makes what a host has said of a file under another name, the one that it is asked for by or its absolute one,
// known under the store's. Of two versions, the one that the file has now counts. From then on, the other name stands
// for the store's. The caller holds the lock.
func (s *Session) join(named, name string, now Version) {
	others := []string{nameOf(nil, named), s.below(named)}
	if roots := rootsOf(s.store); roots != nil && !path.IsAbs(name) {
		others = append(others, names.Below(roots[0], name))
	}
	for _, other := range others {
		if other == name || s.names[other] != name {
			delete(s.names, other)
		}
		told, ok := s.seen[other]
		if other == name || !ok {
			continue
		}
		delete(s.seen, other)
		if s.names == nil {
			s.names = map[string]string{}
		}
		s.names[other] = name
		if seen, ok := s.seen[name]; !ok || seen.version != now && told.version == now {
			s.seen[name] = told
		} else if seen.version == told.version {
			s.seen[name] = seen.and(told)
		}
	}
}

// and returns g with the lines of other, which is of the same version.
func (g sight) and(other sight) sight {
	switch {
	case g.shifted || other.all:
		other.commit = g.commit
		return other
	case !g.all && !other.shifted:
		g.lines = merged(append(slices.Clone(g.lines), other.lines...))
	}
	return g
}

// unseen describes the part of a text that was not seen, "" if there is none.
func (g sight) unseen(text []byte) string {
	switch {
	case len(text) == 0 || g.all && !g.shifted:
		return ""
	case g.shifted:
		return "an edit has changed the number of its lines"
	}
	var gaps []string
	next, n := 1, countLines(text)
	for _, r := range append(slices.Clone(g.lines), [2]int{n + 1, n + 1}) {
		switch last := min(r[0]-1, n); {
		case last > next:
			gaps = append(gaps, fmt.Sprintf("%d-%d", next, last))
		case last == next:
			gaps = append(gaps, strconv.Itoa(next))
		}
		next = max(next, min(r[1], n)+1)
	}
	switch {
	case len(gaps) == 0:
		return ""
	case len(gaps) == 1 && !strings.Contains(gaps[0], "-"):
		return "not yet read: line " + gaps[0]
	}
	return "not yet read: lines " + strings.Join(gaps, ", ")
}

// Commit implements [Store]. The wrapped store checks that nothing has changed. What was committed counts as seen.
func (s *Session) Commit(ctx context.Context, changes []Change) error {
	if s.isZero() {
		return errNoSession
	}
	err := s.store.Commit(ctx, changes)
	if err != nil && !errors.Is(err, ErrNotDurable) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits++
	after := map[string]sight{}
	for _, c := range changes {
		if c.After != nil {
			base := baseOf(c, changes)
			now := s.seen[nameOf(base.Before, base.Path)].after(c, base.Before)
			now.commit = s.commits
			after[nameOf(c.After, c.Path)] = now
		}
	}
	for _, c := range changes {
		delete(s.seen, nameOf(c.Before, c.Path))
	}
	if s.seen == nil {
		s.seen = after
	}
	maps.Copy(s.seen, after)
	return err
}

// baseOf returns the change whose Before is the file that c starts from: the delete of a move, or c itself.
func baseOf(c Change, changes []Change) Change {
	if c.From != "" {
		at := slices.IndexFunc(changes, func(d Change) bool { return d.Path == c.From && d.After == nil })
		if at >= 0 {
			return changes[at]
		}
	}
	return c
}

// after returns the sight of a file after the conversation has made the change c to before, of which it had the sight
// g.
func (g sight) after(c Change, before *File) sight {
	now := sight{version: VersionOf(c.After.Data), all: true}
	switch {
	case c.Shifted:
		now.all, now.shifted = false, true
	case c.Written || before == nil || len(before.Data) == 0: // all of it is new
	case countLines(before.Data) != countLines(c.After.Data):
		now.all, now.shifted = false, true
	case g.version != "":
		now.all, now.lines, now.shifted = g.all, g.lines, g.shifted
	}
	return now
}

// Seen returns what the conversation has seen of a file, and of which version: ranges of lines, first and last, from 1,
// in order and with gaps between them. Nil ranges mean all lines. No ranges, but not nil, mean that it knows the file,
// but of no line by its number: for instance, because its own edit has changed the number of lines. If it does not know
// the file, ok is false. The path is the store's name for the file, or one that [Session.MarkRead] was given. Seen
// reads nothing: the file may have changed since.
func (s *Session) Seen(path string) (v Version, lines [][2]int, ok bool) {
	if s.isZero() {
		return "", nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range []string{path, s.nameFor(path), s.nameFor(names.WithSlashes(path))} {
		if g, ok := s.seen[name]; ok && g.all {
			return g.version, nil, true
		} else if ok {
			return g.version, append([][2]int{}, g.lines...), true
		}
	}
	return "", nil, false
}

// Check implements [Checker]: it asks the wrapped store.
func (s *Session) Check(ctx context.Context, changes []Change) error {
	if s.isZero() {
		return errNoSession
	}
	if checker, ok := find[Checker](s.store); ok {
		return checker.Check(ctx, changes)
	}
	return nil
}

// Recover implements [Recoverer]. It is [errors.ErrUnsupported] if the wrapped store is not a Recoverer.
func (s *Session) Recover(ctx context.Context) error {
	if s.isZero() {
		return errNoSession
	}
	if r, ok := find[Recoverer](s.store); ok {
		return r.Recover(ctx)
	}
	return errors.ErrUnsupported
}

// Respells asks the wrapped store whether two paths name the same file: see [Dir.Respells].
func (s *Session) Respells(ctx context.Context, from, to string) bool {
	if s.isZero() {
		return false
	}
	store, ok := find[respeller](s.store)
	return ok && store.Respells(ctx, from, to)
}

var (
	_ Checker   = (*Session)(nil)
	_ respeller = (*Session)(nil)
	_ Recoverer = (*Session)(nil)
)

// readNamed reads the file that a request names. A backslash in the name is a slash, unless the store has a file of
// that very name. It also returns the path that it read. If the store refuses both spellings, the first refusal stands.
func readNamed(name string, read func(path string) (*File, error)) (f *File, path string, err error) {
	f, err = read(name)
	isRefused := func(err error) bool { return errors.Is(err, ErrOutside) || errors.Is(err, fs.ErrInvalid) }
	if !isRefused(err) && !errors.Is(err, fs.ErrNotExist) || !strings.Contains(nameOf(f, name), `\`) {
		return f, name, err
	}
	path = names.WithSlashes(name)
	other, otherErr := read(path)
	if isRefused(err) && isRefused(otherErr) {
		return f, name, err
	}
	return other, path, otherErr
}

// rootsOf returns the absolute names of the roots of a store, nil if it has none.
func rootsOf(s Store) []string {
	if session, ok := find[*Session](s); ok && !session.isZero() {
		s = session.store
	}
	if r, ok := find[rooted](s); ok {
		return r.roots()
	}
	return nil
}

// A rooted store has roots. Only [Dir] is one; the interface keeps its code out of programs that never open
// directories.
type rooted interface {
	Store
	roots() []string // their absolute names
}

// isThere reports whether a store has a file: err is what its Read returns.
func isThere(err error) bool {
	return err == nil || errors.Is(err, ErrUnread) || errors.Is(err, ErrStale)
}

// isElsewhere tells of a file that the store has under the end of a path without a file: see [names.Elsewhere].
func isElsewhere(name string, roots []string, read func(path string) (*File, error)) string {
	return names.Elsewhere(name, roots, func(path string) bool {
		_, err := read(path)
		return isThere(err)
	})
}
