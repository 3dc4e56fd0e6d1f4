package atomicedit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/seen"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A look is a file beside what a conversation has seen of it.
type look struct {
	seen.Sight
	known bool    // it has seen some of it
	now   Version // of the file
	asked func(what string) bool
}

// look reads a file, whatever the conversation has seen of it if s is not Strict.
func (s *Session) look(ctx context.Context, path string) (*File, *look, error) {
	f, err := readAny(ctx, s, path)
	if err != nil {
		return f, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := nameOf(f, path)
	v := s.seen[name].versionOf(f.Data)
	s.join(path, name, v)
	g, known := s.seen[name]
	if !known && len(f.Data) == 0 {
		g.Version, known = string(v), true
	}
	l := &look{g.Sight, known, v, s.wasAsked}
	if err := l.refuse(path); err != nil && s.Strict {
		return nil, nil, err
	}
	return f, l, nil
}

// changed reports whether the file is another one than the conversation has seen.
func (l *look) changed() bool { return l.known && l.Version != string(l.now) }

// offered returns the lines whose numbers a refusal of e has shown.
func (l *look) offered(e Edit) seen.Lines {
	if e.isDeletion() {
		return nil
	}
	return l.Offered[string(VersionOf([]byte(e.New)))]
}

// isDeletion reports whether e removes lines that it names by their numbers alone. All such edits look alike, so one that
// was sent together with a refused one cannot be told from that one sent again: none counts lines of a refusal.
func (e Edit) isDeletion() bool { return e.Old == "" && e.New == "" }

// refuse returns the error of a file that was not seen, or has changed since.
func (l *look) refuse(path string) error {
	switch {
	case !l.known:
		return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("%w; read it first", ErrUnread)}
	case l.changed():
		return &fs.PathError{Op: "open", Path: path, Err: ErrStale}
	}
	return nil
}

// unseen describes the lines of a text that were not seen, "" if there are none.
func (l *look) unseen(data []byte) string {
	n := 0
	gaps := convertAll(l.Lines.Without(countLines(data)), func(r [2]int) string {
		if n += r[1] - r[0] + 1; r[0] == r[1] {
			return strconv.Itoa(r[0])
		}
		return fmt.Sprintf("%d-%d", r[0], r[1])
	})
	if n == 0 {
		return ""
	}
	return "not yet read: " + plan.Plural(n, "line") + " " + strings.Join(gaps, ", ")
}

// A looker is a [Session], or a store that embeds one.
type looker interface {
	look(ctx context.Context, path string) (*File, *look, error)
}

// readSeen reads a file, and what was seen of it: nil if that is not known, as of texts that a store above shows.
func readSeen(ctx context.Context, s Store, path string) (f *File, l *look, err error) {
	if session, ok := s.(*Session); ok {
		return session.look(ctx, path)
	}
	session, ok := find[looker](s)
	if f, err = s.Read(ctx, path); !ok || !isThere(err) {
		return f, nil, err
	}
	own, l, ownErr := session.look(ctx, path)
	switch {
	case err != nil:
		return own, l, ownErr
	case ownErr != nil || !bytes.Equal(f.Data, own.Data):
		return f, nil, nil
	}
	return f, l, nil
}

// find returns s, or the first store behind it, that is a T.
func find[T any](s Store) (found T, ok bool) {
	for range 100 { // so that a chain ends that leads to itself
		if found, ok = s.(T); ok {
			return found, true
		}
		switch wrapper := s.(type) {
		case *Session:
			if wrapper.isZero() {
				return found, false
			}
			s = wrapper.store
		case interface{ Unwrap() Store }:
			s = wrapper.Unwrap()
		default:
			return found, false
		}
	}
	return found, false
}

// isElsewhere tells of files one of which may be meant by a path without a file, "" if there are none.
func isElsewhere(ctx context.Context, s Store, name string) string {
	l, ok := find[lister](s)
	if !ok {
		return ""
	}
	isNot := func(path string) bool { // but a link that leads out
		_, err := readAny(ctx, s, path)
		return !isThere(err)
	}
	return names.UseOne(slices.DeleteFunc(similar(ctx, l, names.OfRequest(name), rootsOf(s)), isNot))
}

// similar returns the paths of the files whose last name is that of a path but for case, and which share the most names
// above it. Spaces around the path, and a line behind it ("a.go:12"), do not count. Hidden directories, and those of
// packages, are searched only if the path names them. It may also be the only file of its directory whose name is
// spelled alike.
func similar(ctx context.Context, l lister, name string, roots []string) (best []string) {
	const maxSearched, maxSimilar = 1000, 3 // directories, and paths that are listed
	most := 0
	dir, base := path.Split(strings.TrimSpace(name))
	base, _, _ = strings.Cut(base, ":")
	name = dir + base
	isSearched := func(at string) bool {
		isOther := at[0] == '.' || at == "node_modules/" || at == "vendor/"
		return !isOther || strings.Contains(dir, strings.TrimPrefix(at, "."))
	}
	todo := append([]string{"."}, roots[min(len(roots), 1):]...)
	for n := 0; n < len(todo) && n < maxSearched; n++ {
		found, _ := l.List(ctx, todo[n])
		for _, at := range found {
			full := path.Join(todo[n], at)
			if isDir := strings.HasSuffix(at, "/"); isDir && isSearched(at) {
				todo = append(todo, full)
			} else if !isDir && strings.EqualFold(path.Base(name), at) {
				switch same := sharedEnd(name, full); {
				case same > most:
					most, best = same, []string{full}
				case same == most:
					best = append(best, full)
				}
			}
		}
	}
	if most < 2 { // only the last name is the same
		alike, _ := l.List(ctx, path.Dir(name))
		// without what many get wrong in names of files
		spelling := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "_")) }
		isOther := func(at string) bool { return !text.SpelledAlike(spelling(base), spelling(at), 2) }
		if alike = slices.DeleteFunc(alike, isOther); len(alike) == 1 {
			best = slices.Compact(slices.Insert(best, 0, path.Join(dir, alike[0])))
		}
	}
	return best[:min(len(best), maxSimilar)]
}

// newDirs returns a problem for each directory that changes make, other than by moving files, if there is one beside it
// with nearly the same name: one that differs only in case, in "-" and "_" within it, or in an "s" at the end.
func newDirs(ctx context.Context, s Store, changes []Change) (problems []Problem) {
	l, ok := find[lister](s)
	if !ok {
		return nil
	}
	isMissing := func(dir string) bool {
		_, err := readAny(ctx, s, dir)
		return errors.Is(err, fs.ErrNotExist)
	}
	asked := map[string]bool{}
	for _, c := range changes {
		dir := path.Dir(c.Path)
		if c.Before != nil || c.After == nil || c.From != "" || !isMissing(dir) {
			continue
		}
		for above := path.Dir(dir); above != dir && isMissing(above); above = path.Dir(dir) {
			dir = above
		}
		name := spelling(path.Base(dir))
		if asked[dir] || name == "" {
			continue
		}
		asked[dir] = true
		found, _ := l.List(ctx, path.Dir(dir))
		isAlike := func(at string) bool { return strings.HasSuffix(at, "/") && spelling(at[:len(at)-1]) == name }
		if i := slices.IndexFunc(found, isAlike); i >= 0 {
			problems = append(problems, Problem{Err: fs.ErrInvalid, Path: c.Path, Op: -1, Edit: -1,
				Msg: fmt.Sprintf("%s would be a new directory, and there is %s: use that, or send the same call "+
					"again if you mean a new one", names.Show(dir), names.Show(path.Join(path.Dir(dir), found[i])))})
		}
	}
	return problems
}

// spelling returns the name of a directory without what many get wrong in it; "" if it is short or has a digit.
func spelling(name string) string {
	const short = 3
	core := strings.Trim(name, "_-.")
	plain := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(core))
	if plain = strings.TrimSuffix(plain, "s"); len(plain) < short || strings.ContainsFunc(plain, unicode.IsDigit) {
		return ""
	}
	return strings.Replace(name, core, plain, 1)
}

// sharedEnd returns how many names at the end of two paths are the same but for case.
func sharedEnd(a, b string) (n int) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for n < min(len(as), len(bs)) && strings.EqualFold(as[len(as)-1-n], bs[len(bs)-1-n]) {
		n++
	}
	return n
}
