package sqlstore_test

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// tree returns changes of n files of 8 KB each, from the given round to the next one.
func tree(n, round int) []atomicedit.Change {
	content := func(i, round int) *atomicedit.File {
		if round == 0 {
			return nil
		}
		line := fmt.Appendf(nil, "file %d in round %d: %x\n", i, round, i*round*2654435761)
		return &atomicedit.File{Data: bytes.Repeat(line, 8<<10/len(line))}
	}
	changes := make([]atomicedit.Change, n)
	for i := range changes {
		changes[i] = atomicedit.Change{Path: fmt.Sprintf("dir%d/file%d.txt", i%7, i), Before: content(i, round),
			After: content(i, round+1)}
	}
	return changes
}

// BenchmarkCommit commits 50 files of 8 KB. In turn with each commit, one transaction of 50 prepared upserts by hand
// writes the same contents: x-by-hand is how many times as long a commit takes.
func BenchmarkCommit(b *testing.B) {
	for _, e := range engines() {
		b.Run(e.name, func(b *testing.B) {
			db := e.open(b)
			s := openStore(b, db, nil)
			byHand := newByHand(b, db)
			var committed, upserted time.Duration
			round := 0
			for b.Loop() {
				changes := tree(50, round)
				began := time.Now()
				if err := s.Commit(b.Context(), changes); err != nil {
					b.Fatal(err)
				}
				committed += time.Since(began)
				began = time.Now()
				byHand.upsert(b, changes)
				upserted += time.Since(began)
				round++
			}
			b.ReportMetric(float64(committed.Microseconds())/1000/float64(round), "ms/commit")
			b.ReportMetric(float64(committed)/float64(upserted), "x-by-hand")
		})
	}
}

// byHand is what a program without a Store would do: no comparison, no history, no answer to a lost connection.
type byHand struct {
	db    *sql.DB
	table string
	words words
}

type words struct{ bytes, first, second string }

func newByHand(b *testing.B, db *sql.DB) byHand {
	h := byHand{db, "by_hand_" + rand.Text(), words{"bytea", "$1", "$2"}}
	var version string
	if db.QueryRow("SELECT sqlite_version()").Scan(&version) == nil {
		h.words = words{"blob", "?", "?"}
	}
	if _, err := db.Exec("CREATE TABLE " + h.table + " (name text PRIMARY KEY, data " + h.words.bytes +
		" NOT NULL)"); err != nil {
		b.Fatal(err)
	}
	return h
}

func (h byHand) upsert(b *testing.B, changes []atomicedit.Change) {
	tx, err := h.db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Rollback()
	prepared, err := tx.Prepare("INSERT INTO " + h.table + " (name, data) VALUES (" + h.words.first + ", " +
		h.words.second +
		") ON CONFLICT (name) DO UPDATE SET data = excluded.data")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range changes {
		if _, err := prepared.Exec(c.Path, c.After.Data); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCommitOfManyFiles commits 10,000 files of 8 KB.
func BenchmarkCommitOfManyFiles(b *testing.B) {
	for _, e := range engines() {
		b.Run(e.name, func(b *testing.B) {
			s := openStore(b, e.open(b), nil)
			round := 0
			for b.Loop() {
				b.StopTimer()
				changes := tree(10_000, round)
				b.StartTimer()
				if err := s.Commit(b.Context(), changes); err != nil {
					b.Fatal(err)
				}
				round++
			}
		})
	}
}

// BenchmarkLargeTree commits 50 files of 8 KB to a tree of 100,000 other files, and to an empty one.
func BenchmarkLargeTree(b *testing.B) {
	for _, e := range engines() {
		for _, others := range []int{0, 100_000} {
			b.Run(fmt.Sprintf("%s/%d files", e.name, others), func(b *testing.B) {
				s := openStore(b, e.open(b), nil)
				for i := range others / 10_000 {
					var changes []atomicedit.Change
					for k := range 10_000 {
						changes = append(changes, atomicedit.Change{Path: fmt.Sprintf("dir%d/other%d/file%d", k%7, i,
							k), After: file("small")})
					}
					if err := s.Commit(b.Context(), changes); err != nil {
						b.Fatal(err)
					}
				}
				round := 0
				for b.Loop() {
					if err := s.Commit(b.Context(), tree(50, round)); err != nil {
						b.Fatal(err)
					}
					round++
				}
			})
		}
	}
}

// BenchmarkNodes has several nodes, each with connections of its own, commit to different files of one tree.
func BenchmarkNodes(b *testing.B) {
	for _, nodes := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("PostgreSQL with pgx/%d nodes", nodes), func(b *testing.B) {
			o := &sqlstore.Options{Tree: rand.Text()}
			work := make(chan struct{})
			var wg sync.WaitGroup
			for node := range nodes {
				s := openStore(b, opened(b)(sql.Open("pgx", postgres(b))), o)
				wg.Go(func() {
					c := atomicedit.Change{Path: fmt.Sprintf("dir/%d", node)}
					for i := 0; ; i++ {
						if _, more := <-work; !more {
							return
						}
						c.After = file(fmt.Sprint(i))
						if err := s.Commit(b.Context(), []atomicedit.Change{c}); err != nil {
							b.Error(err)
						}
						c.Before = c.After
					}
				})
			}
			began, n := time.Now(), 0
			for b.Loop() {
				work <- struct{}{}
				n++
			}
			close(work)
			wg.Wait()
			b.ReportMetric(float64(n)/time.Since(began).Seconds(), "commits/s")
		})
	}
}

// BenchmarkRead reads a file of 8 KB from a tree of 10,000.
func BenchmarkRead(b *testing.B) {
	for _, e := range engines() {
		b.Run(e.name, func(b *testing.B) {
			s := openStore(b, e.open(b), nil)
			if err := s.Commit(b.Context(), tree(10_000, 0)); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := s.Read(b.Context(), "dir0/file7.txt"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
