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
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/merge"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/seen"
)

// A Session is a [Store] that wraps another one and remembers what a conversation has seen of its files. Use one
// Session for each conversation. It is safe for concurrent use. The methods of the zero value fail: it has no store.
//
// [Prepare] on a Session places the edits of a request on the text that the conversation has seen, and carries them
// over to the text that the file has now. An edit of lines that somebody else has changed since is [ErrStale], and so
// is every replacement or deletion of a changed file. A file that was never read can be edited by text that stands
// there verbatim, in one place; anything else is [ErrUnread]. In the repository, docs/hosting.md has the rules.
// What a [Transaction] commits through a Session is the conversation's own change. Any other commit, such as one of
// [Invert], is somebody else's, whether it goes to the Session or to the store below. As JSON, a Session goes from one
// process to the next. A wrapper of a Session needs an Unwrap method: see [Store].
type Session struct {
	// Strict refuses every edit of a file that was not read, or has changed since. Set it, and Memory, before use.
	Strict bool

	// Memory bounds how many bytes of texts are remembered; those that were used longest ago are forgotten first. 0
	// means 64 MiB, and a negative number none. A file whose text is forgotten, and that has changed, is edited as one
	// that was never read, except that the error is ErrStale.
	Memory int64

	store Store

	mu      sync.Mutex
	seen    map[string]sight  // by the store's path, or by the clean path that a host named
	names   map[string]string // the store's path of a file, by another that a host named
	commits int               // the number of commits so far
	asked   map[string]bool   // what refusals have asked to be sent again, as it is, if it is meant
	held    int64             // bytes of remembered texts
	uses    int               // of all sights
}

// A sight is what a conversation has seen of one file.
type sight struct {
	seen.Sight
	commit int // the number of the commit of this session that made this version, 0 if none did
	used   int // the number of its last use
}

// NewSession returns a Session on s that has seen nothing.
func NewSession(s Store) *Session {
	return &Session{store: s, seen: map[string]sight{}, names: map[string]string{}}
}

// isZero reports whether s was not made by NewSession, or without a store.
func (s *Session) isZero() bool { return s == nil || s.store == nil }

var errNoSession = errors.New("atomicedit: the Session has no store: make one with NewSession")

// View reads a file for the conversation, and remembers that it has seen the lines first to last, counted from 1. A
// first or last of 0 means that of the file, all of which View returns. It reads backslashes as [Prepare] does.
func (s *Session) View(ctx context.Context, path string, first, last int) (*File, error) {
	since := s.count()
	f, path, err := readNamed(path, func(path string) (*File, error) { return readAny(ctx, s, path) })
	if err != nil {
		return f, err
	}
	if last <= 0 {
		last = countLines(f.Data)
	}
	s.shown(f, path, since, seen.Sight.View, [2]int{max(first, 1), last})
	return f, nil
}

// readAny reads a file, whether a conversation has seen it or not if s is its Session.
func readAny(ctx context.Context, s Store, path string) (*File, error) {
	if session, ok := s.(*Session); ok {
		if session.isZero() {
			return nil, errNoSession
		}
		s = session.store
	}
	return s.Read(ctx, path)
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
func (s *Session) shown(f *File, path string, since int, how showing, ranges ...[2]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := nameOf(f, path)
	now, lines, n := s.seen[name], seen.Of(ranges...), countLines(f.Data)
	v := now.versionOf(f.Data)
	if isOld := now.commit > since && now.Version != string(v); !isOld && (n == 0 || len(lines) > 0) {
		s.saw(name, v, f.Data, how, lines, n)
	}
}

// showed records the lines that a refusal shows, of files read after since commits, and asks to send the call again.
func (s *Session) showed(err error, since int, asks bool) {
	if s.isZero() {
		return
	}
	text := err.Error()
	isCutOff := func(r [2]int) bool {
		is := func(line int) bool { return strings.Contains(text, fmt.Sprintf("%6d\t", line)) }
		return !is(r[0]) || !is(r[1])
	}
	for _, l := range shownBy(err) {
		if l.areLines() {
			l.lines = slices.DeleteFunc(slices.Clone(l.lines), isCutOff)
		}
		switch {
		case l.asks == "":
			s.shown(l.file, l.path, since, l.how, l.lines...)
		case asks:
			s.ask(l.asks)
		}
	}
}

func (s *Session) ask(what string) {
	const most = 100
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) >= most || s.asked == nil {
		s.asked = map[string]bool{}
	}
	s.asked[what] = true
}

func (s *Session) wasAsked(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[what]
}

// MarkRead tells the session that the conversation has seen the lines first to last of the file at path, when its
// content was v. It is for hosts that have their own read tool. The path may be absolute in a [Dir]. If both are 0, it
// has seen all lines; if last is less than first, none. With a v that [VersionOf] does not return, the file counts as
// unread. [Session.MarkReadText] is better, because edits can be carried over from a text.
func (s *Session) MarkRead(path string, v Version, first, last int) {
	s.mark(path, v, nil, first, last)
}

// MarkReadText is [Session.MarkRead] with the whole text of the file as it was read, which is kept: do not modify it.
func (s *Session) MarkReadText(path string, text []byte, first, last int) {
	s.mark(path, VersionOf(text), text, first, last)
}

func (s *Session) mark(path string, v Version, text []byte, first, last int) {
	if s.isZero() {
		return
	}
	lines, n := seen.Of([2]int{max(first, 1), last}), seen.Most
	if first == 0 && last == 0 {
		lines = seen.All
	}
	if text != nil {
		n = countLines(text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range slices.Compact([]string{path, names.WithSlashes(path)}) {
		s.saw(s.nameFor(path), v, text, seen.Sight.View, lines, n)
	}
}

// nameFor returns the name, if possible the store's, of the file that a host calls path. The caller holds the lock.
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

// saw records that lines of a text with n lines were seen. Text may be nil. The caller holds the lock.
func (s *Session) saw(name string, v Version, text []byte, how showing, lines seen.Lines, n int) {
	if !v.isHash() {
		s.keep(name, nil)
		return
	}
	now := s.seen[name]
	now.Sight = how(now.in(v, text, false), lines, n)
	s.keep(name, &now)
}

// keep remembers what was seen of a file; nil makes s forget it. If that holds too many bytes, s forgets the texts that
// were used longest ago, up to three quarters of what it may hold. The caller holds the lock.
func (s *Session) keep(name string, g *sight) {
	s.held -= s.seen[name].size()
	delete(s.seen, name)
	if g == nil {
		return
	}
	limit := cmp.Or(s.Memory, 64<<20)
	s.uses++
	g.used = s.uses
	if g.size() > limit {
		g.Text, g.Views = nil, nil
	}
	s.seen[name] = *g
	if s.held += g.size(); s.held <= max(limit, 0) {
		return
	}
	byUse := func(a, b string) int { return cmp.Compare(s.seen[a].used, s.seen[b].used) }
	for _, old := range slices.SortedFunc(maps.Keys(s.seen), byUse) {
		if s.held <= limit*3/4 || old == name {
			break
		}
		g := s.seen[old]
		s.held -= g.size()
		g.Text, g.Views = nil, nil
		s.seen[old] = g
	}
}

// versionOf returns the version of data, which is often the text that was seen.
func (g sight) versionOf(data []byte) Version { return versionOf(data, g.Text, Version(g.Version)) }

// in returns g as the sight of a text that has the version v. If it knew no text before, this one may be foreign.
func (g sight) in(v Version, text []byte, foreign bool) seen.Sight {
	switch {
	case g.Version == string(v):
		if g.Text == nil {
			g.Text = text
		}
		return g.Sight
	case g.Text != nil && text != nil:
		groups, doubtful := changedLines(g.Text, text, nil)
		return g.Changed(string(v), text, groups, doubtful)
	case g.Version == "":
		return seen.Sight{Version: string(v), Text: text, Foreign: foreign}
	}
	earlier := g.Earlier.And(g.Numbers).And(g.Told)
	return seen.Sight{Version: string(v), Text: text, Foreign: foreign, Moved: seen.All, Earlier: earlier}
}

func (g sight) size() int64 {
	n := len(g.Text)
	for _, v := range g.Views {
		n += len(v.Text)
	}
	return int64(n)
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

// Read implements [Store]. It refuses, for a store above that says nothing of the Session below: a file that was not
// seen, or only in part, is [ErrUnread], and one that has changed since is [ErrStale].
func (s *Session) Read(ctx context.Context, path string) (*File, error) {
	f, look, err := s.look(ctx, path)
	if err != nil {
		return f, err
	}
	if err := look.refuse(path); err != nil {
		return nil, err
	}
	look.Lines = look.Numbers // the store above may ask for lines by their numbers
	if unseen := look.unseen(f.Data); unseen != "" {
		err = fmt.Errorf("read the whole file first (%s): %w", unseen, ErrUnread)
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return f, nil
}

// join makes what a host has said of a file under another name known under the store's. Of two versions, the one that
// the file has now counts. From then on, the other name stands for the store's. The caller holds the lock.
func (s *Session) join(named, name string, now Version) {
	for _, other := range []string{nameOf(nil, named), s.below(named)} {
		if other == name || s.names[other] != name {
			delete(s.names, other)
		}
		told, ok := s.seen[other]
		if other == name || !ok {
			continue
		}
		s.keep(other, nil)
		s.names[other] = name
		if g, ok := s.seen[name]; !ok || g.Version != string(now) && told.Version == string(now) {
			s.keep(name, &told)
		} else if g.Version == told.Version {
			g.Lines, g.Numbers = g.Lines.And(told.Lines), g.Numbers.And(told.Numbers)
			s.keep(name, &g)
		}
	}
}

// ownCommit is the key of a context in which the commit is one of a Transaction: a function that says what it writes,
// by path. A wrapper between the Transaction and the Session passes it on.
type ownCommit struct{}

// A writing says which lines of a file a Transaction has from its request, and not from a formatter.
type writing struct {
	lines   seen.Lines
	alone   bool   // nobody else has changed the file
	all     bool   // the request has written the whole file
	text    []byte // which a formatter, or a user, may have changed
	data    []byte // of the file
	version Version
}

// Commit implements [Store]. The wrapped store checks the files. Only what a [Transaction] commits counts as seen.
func (s *Session) Commit(ctx context.Context, changes []Change) error {
	if s.isZero() {
		return errNoSession
	}
	err := s.store.Commit(ctx, changes)
	if err != nil && !errors.Is(err, ErrNotDurable) {
		return err
	}
	written, own := ctx.Value(ownCommit{}).(func() map[string]writing)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits++
	if !own {
		return err
	}
	after, wrote := map[string]sight{}, written()
	for _, c := range changes {
		base := c // or the delete of a move
		if c.From != "" {
			isDelete := func(d Change) bool { return d.Path == c.From && d.After == nil }
			if at := slices.IndexFunc(changes, isDelete); at >= 0 {
				base = changes[at]
			}
		}
		if c.After != nil {
			g := s.seen[nameOf(base.Before, base.Path)].after(c, base.Before, wrote[c.Path])
			after[nameOf(c.After, c.Path)] = sight{Sight: g, commit: s.commits}
		}
	}
	for _, c := range changes {
		s.keep(nameOf(c.Before, c.Path), nil)
	}
	for name, g := range after {
		s.keep(name, &g)
	}
	return err
}

// after returns the sight of a file after the conversation has made the change c to before, of which it had g.
func (g sight) after(c Change, before *File, wrote writing) seen.Sight {
	v, text, n := string(versionOf(c.After.Data, wrote.data, wrote.version)), c.After.Data, countLines(c.After.Data)
	if wrote.all {
		written := string(versionOf(wrote.text, text, Version(v)))
		return sight{Sight: seen.Sight{Version: written, Text: wrote.text}.View(seen.All, n)}.in(Version(v), text, true)
	}
	if before != nil { // what others have changed is nothing that it knows
		g.Sight = g.in(g.versionOf(before.Data), before.Data, true)
	}
	groups, doubtful := changedLines(g.Text, text, wrote.lines)
	if wrote.alone { // lines that have only lost text, too
		came := func(g merge.Group) [2]int { return [2]int{g.NewFrom + 1, g.NewTo} }
		wrote.lines = wrote.lines.And(convertAll(groups, came))
	}
	return g.Written(v, text, groups, doubtful, wrote.lines, n)
}

// Seen returns what the conversation has seen of a file, and of which version: ranges of lines, first and last, from 1,
// in order and with gaps between them. Nil ranges mean all lines. No ranges, but not nil, mean that it knows the file,
// but no line of it. If it does not know the file, ok is false. The path is the store's name for the file, or one that
// [Session.MarkRead] was given. Seen reads nothing: the file may have changed since.
func (s *Session) Seen(path string) (v Version, lines [][2]int, ok bool) {
	if s.isZero() {
		return "", nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range []string{path, s.nameFor(path), s.nameFor(names.WithSlashes(path))} {
		if g, ok := s.seen[name]; ok {
			if g.Lines.Has(1, seen.Most) || g.Text != nil && len(g.Lines.Without(countLines(g.Text))) == 0 {
				return Version(g.Version), nil, true
			}
			return Version(g.Version), append([][2]int{}, g.Lines...), true
		}
	}
	return "", nil, false
}

// readNamed reads a file, and returns the path that it read: a backslash is a slash unless the store has that name.
func readNamed(name string, read func(path string) (*File, error)) (f *File, path string, err error) {
	f, err = read(name)
	mayBeOther := errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrOutside) || errors.Is(err, fs.ErrInvalid)
	if mayBeOther && strings.Contains(nameOf(f, name), `\`) {
		name = names.WithSlashes(name)
		f, err = read(name)
	}
	return f, name, err
}

// rootsOf returns the absolute names of the roots of a store, if it is a Dir, whose code not every program links.
func rootsOf(s Store) []string {
	if r, ok := find[interface{ roots() []string }](s); ok {
		return r.roots()
	}
	return nil
}

// isThere reports whether a store has a file: err is what its Read returns.
func isThere(err error) bool { return err == nil || isUnknown(err) }

// isUnknown reports whether a store refuses to show a file because the conversation does not know it as it is.
func isUnknown(err error) bool { return errors.Is(err, ErrUnread) || errors.Is(err, ErrStale) }
