package sqlstore_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// modelPaths are names for seven files, some of which exclude each other.
func modelPaths() []string { return []string{"a", "a/b", "a/b/c", "a-", "b", "b/c", "\xff"} }

// A model is a store together with one in memory, which must do the same.
type model struct {
	*rapid.T
	store *sqlstore.Store
	mem   *atomicedit.Mem
	done  [][]atomicedit.Change // what each commit has changed, the oldest first
}

// kinds returns the errors of the contract that err is.
func kinds(err error) string {
	var found []error
	for _, kind := range []error{atomicedit.ErrStale, fs.ErrExist, fs.ErrInvalid, fs.ErrNotExist} {
		if errors.Is(err, kind) {
			found = append(found, kind)
		}
	}
	return fmt.Sprint(err != nil, found)
}

// file draws a file, or none.
func (m *model) file() *atomicedit.File {
	text := rapid.SampledFrom([]string{"none", "", "1", "2"}).Draw(m.T, "text")
	if text == "none" {
		return nil
	}
	return &atomicedit.File{Data: []byte(text),
		Mode: rapid.SampledFrom([]fs.FileMode{0, 0o600, 0o755}).Draw(m.T, "mode")}
}

// changes draws changes, most of which fit.
func (m *model) changes() (changes []atomicedit.Change) {
	for _, path := range rapid.SliceOfNDistinct(rapid.SampledFrom(modelPaths()), 1, 4, rapid.ID).Draw(m.T, "paths") {
		c := atomicedit.Change{Path: path, Before: m.file(), After: m.file()}
		if rapid.IntRange(0, 4).Draw(m.T, "fits") > 0 {
			c.Before = m.files()[path]
		}
		changes = append(changes, c)
	}
	return changes
}

// files returns what the store in memory has.
func (m *model) files() map[string]*atomicedit.File {
	files := map[string]*atomicedit.File{}
	for _, path := range modelPaths() {
		if f, err := m.mem.Read(m.Context(), path); err == nil {
			files[path] = f
		}
	}
	return files
}

// commit commits changes to the store in memory. The other one has done the same, and got an error or none.
func (m *model) commit(changes []atomicedit.Change, got error) {
	was := m.files()
	if want := m.mem.Commit(m.Context(), changes); kinds(got) != kinds(want) {
		m.Fatalf("Commit: %v, want %v", got, want)
	}
	is := m.files()
	var made []atomicedit.Change
	for _, path := range modelPaths() {
		before, after := was[path], is[path]
		if (before == nil) != (after == nil) ||
			before != nil && (string(before.Data) != string(after.Data) || before.Mode != after.Mode) {
			made = append(made, atomicedit.Change{Path: path, Before: before, After: after})
		}
	}
	if made != nil {
		m.done = append(m.done, made)
	}
	for _, path := range modelPaths() {
		f, got := m.store.Read(m.Context(), path)
		g, want := m.mem.Read(m.Context(), path)
		if kinds(got) != kinds(want) ||
			want == nil && (string(f.Data) != string(g.Data) || f.Mode != g.Mode || f.Path != g.Path) {
			m.Fatalf("Read(%q) = %+v, %v, want %+v, %v", path, f, got, g, want)
		}
	}
}

// ids returns the numbers of the commits in the history, the oldest first.
func (m *model) ids() (ids []int64) {
	for c, err := range m.store.History(m.Context()) {
		if err != nil {
			m.Fatal(err)
		}
		ids = append([]int64{c.ID}, ids...)
	}
	if len(ids) != len(m.done) {
		m.Fatalf("the history has %d commits, want %d", len(ids), len(m.done))
	}
	return ids
}

// A store in a database does what one in memory does, and an undo is a commit of the inverse, whatever the commits are.
func TestAStoreDoesWhatAMemDoes(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		rapid.Check(t, func(r *rapid.T) {
			m := &model{T: r, store: openStore(t, db, nil), mem: atomicedit.NewMem(nil)}
			for range rapid.IntRange(1, 12).Draw(r, "commits") {
				if len(m.done) == 0 || rapid.Bool().Draw(r, "commits anew") {
					changes := m.changes()
					m.commit(changes, m.store.Commit(r.Context(), changes))
					continue
				}
				i := rapid.IntRange(0, len(m.done)-1).Draw(r, "undo")
				m.commit(atomicedit.Invert(m.done[i]), m.store.Undo(r.Context(), m.ids()[i]))
			}
			m.ids()
		})
	})
}
