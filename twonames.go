package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/names"
)

// A diff of two directories, as "diff -ru old new" prints it, has two names for a file: "old/a.go" and "new/a.go". Which directories
// in front are part of the path, only the store can tell. A treePair is two such directories, and the ops that a plan has in them.
type treePair struct {
	older, newer string // as far as they differ; "" or with a slash at the end
	files        []treeFile
}

// A treeFile is a file of a treePair.
type treeFile struct {
	op   int
	rest string // its path below the directories
	made bool   // it need not be there before
}

// maxCut is how many leading parts of a path are taken off at most, after those of the directories that differ.
const maxCut = 8

// settle returns p with one path for each file that has two names: the one under which all files of the same two directories are, of
// both names and of the paths with leading parts taken off. Notes has a remark for each op whose path is not as in p.
func (w *workingCopy) settle(ctx context.Context, p Plan) (settled Plan, notes map[int]string, problems []Problem) {
	pairs := treePairs(p.Ops)
	if len(pairs) == 0 {
		return p, nil, nil
	}
	there := map[string]bool{}
	isThere := func(name string) bool {
		is, known := there[name]
		if !known {
			_, _, err := readNamed(name, func(path string) (*File, error) {
				f, _, err := readSeen(ctx, w.store, path)
				return f, err
			})
			is = err == nil || errors.Is(err, ErrUnread) || errors.Is(err, ErrStale)
			there[name] = is
		}
		return is
	}
	p.Ops, notes = slices.Clone(p.Ops), map[int]string{}
	for _, pair := range pairs {
		found := pair.places(isThere)
		switch len(found) {
		case 0: // the ops say so
		case 1:
			for _, f := range pair.files {
				op, name := &p.Ops[f.op], found[0].path(f)
				if name != op.Path {
					notes[f.op] = "the request has the path " + names.Show(op.Path) + ", of a diff of two directories; it was read as " + names.Show(name)
				}
				op.Path = name
			}
		default:
			problems = append(problems, pair.doubt(p.Ops, found))
		}
	}
	return p, notes, problems
}

// treePairs returns the pairs of directories that the ops of a plan name.
func treePairs(ops []Op) (pairs []*treePair) {
	known := map[[2]string]*treePair{}
	for i, op := range ops {
		if op.OtherPath == "" {
			continue
		}
		older, newer, rest := cutTrees(names.OfRequest(op.OtherPath), names.OfRequest(op.Path))
		if op.Kind == OpDelete {
			older, newer = newer, older
		}
		pair := known[[2]string{older, newer}]
		if pair == nil {
			pair = &treePair{older: older, newer: newer}
			known[[2]string{older, newer}] = pair
			pairs = append(pairs, pair)
		}
		pair.files = append(pair.files, treeFile{i, rest, op.Kind == OpCreate})
	}
	if len(pairs) != 1 { // a file with one name would belong to any of several
		return pairs
	}
	for i, op := range ops {
		dir := pairs[0].newer
		if op.Kind == OpDelete {
			dir = pairs[0].older
		}
		if rest, ok := strings.CutPrefix(names.OfRequest(op.Path), dir); ok && op.OtherPath == "" && dir != "" && (op.Kind == OpCreate || op.Kind == OpDelete) {
			pairs[0].files = append(pairs[0].files, treeFile{i, rest, op.Kind == OpCreate})
		}
	}
	return pairs
}

// cutTrees cuts two paths of one file where they begin to be the same.
func cutTrees(older, newer string) (olderDir, newerDir, rest string) {
	from := len(older)
	for at := len(older); at > 0; {
		at = strings.LastIndexByte(older[:at-1], '/') + 1
		before, ok := strings.CutSuffix(newer, older[at:])
		if !ok || before != "" && before[len(before)-1] != '/' {
			break
		}
		from = at
	}
	return older[:from], strings.TrimSuffix(newer, older[from:]), older[from:]
}

// A treePlace is where the files of a treePair may be: below a directory, with leading parts of their paths taken off.
type treePlace struct {
	dir string
	cut int
}

// path returns the path of a file at a place, "" if it has none there.
func (at treePlace) path(f treeFile) string {
	rest := f.rest
	for range at.cut {
		_, rest, _ = strings.Cut(rest, "/")
	}
	if rest == "" {
		return ""
	}
	return at.dir + rest
}

// places returns the places where all files of the pair are that have to be there. If none has to be, it returns all places.
func (t *treePair) places(isThere func(name string) bool) (found []treePlace) {
	all := []treePlace{{dir: t.newer}, {dir: t.older}}
	for cut := range maxCut {
		all = append(all, treePlace{cut: cut})
	}
	for _, at := range all {
		misses := func(f treeFile) bool {
			name := at.path(f)
			return name == "" || !f.made && !isThere(name)
		}
		if !slices.Contains(found, at) && !slices.ContainsFunc(t.files, misses) {
			found = append(found, at)
		}
	}
	return found
}

// doubt returns the problem of a pair whose files may be at several places.
func (t *treePair) doubt(ops []Op, found []treePlace) Problem {
	first := t.files[0]
	op := ops[first.op]
	paths := make([]string, len(found))
	for i, at := range found {
		paths[i] = names.Show(at.path(first))
	}
	shown := paths[:min(len(paths), 4)]
	return Problem{Err: ErrAmbiguous, Path: op.Path, Op: first.op, Edit: -1,
		Msg: "the diff also calls this file " + names.Show(cmp.Or(op.OtherPath, op.Path)) + ", and any of these may be meant: " + strings.Join(shown, ", ") +
			"; write its path from the root of the project, with a/ and b/ in front"}
}
