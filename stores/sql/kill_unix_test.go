//go:build unix

package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
)

// backends returns the processes of the server that serve the application of the given name.
func backends(ctx context.Context, db *sql.DB, application string) (pids []int, err error) {
	found, err := db.QueryContext(ctx, "SELECT pid FROM pg_stat_activity WHERE application_name = $1", application)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		var pid int
		if err := found.Scan(&pid); err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	return pids, found.Err()
}

// A connection that the server ends at any call of the driver leaves all or nothing, and the error says which.
func TestACommitIsDoneOrNotWhateverConnectionTheServerEnds(t *testing.T) {
	t.Parallel()
	for _, driver := range []string{"pgx", "postgres"} {
		t.Run(driver, func(t *testing.T) {
			net := victims(t, driver, postgres(t))
			net.strikeEverywhere(t, "whose connection the server ended", func(pid int) {
				net.safe.Exec("SELECT pg_terminate_backend($1)", pid)
			})
		})
	}
}

// The same for a process of the server that is killed, after which the server ends all connections and recovers.
func TestACommitIsDoneOrNotWhateverProcessOfTheServerIsKilled(t *testing.T) {
	t.Parallel()
	server := ownServer(t)
	net := victims(t, "pgx", server.dsn())
	net.safe.SetMaxIdleConns(0) // a crash breaks all connections
	net.strikeEverywhere(t, "whose server crashed", func(pid int) {
		if err := server.crash(pid); err != nil {
			t.Error(err)
		}
	})
}

// victims returns a database whose connections by way of the line can be told from others.
func victims(t *testing.T, driver, dsn string) network {
	net := network{name: "PostgreSQL", safe: opened(t)(sql.Open(driver, dsn)), line: &line{}}
	net.weak = net.line.through(t, net.safe, dsn+" application_name=victim")
	return net
}

// strikeEverywhere strikes the connection at each call of the driver: before it, and after it so that the answer is
// lost.
func (net network) strikeEverywhere(t *testing.T, what string, strike func(pid int)) {
	for _, after := range []bool{false, true} {
		for k := 0; ; k++ {
			var lost map[int]fault
			if after {
				lost = map[int]fault{k: {lose: true, after: true}}
			}
			struck := false
			calls, err := net.underFaults(t, deeds()[0], lost, func(n int, isAfter bool) {
				if n != k || isAfter != after || struck {
					return
				}
				struck = true
				pids, err := backends(t.Context(), net.safe, "victim")
				if err != nil {
					t.Error(err)
				}
				if len(pids) > 0 {
					strike(pids[0])
				}
			})
			if calls <= k {
				break
			}
			net.count(what, err)
		}
	}
}

// Writers count while the server ends connections at random. What they count is what they find, to the last commit.
func TestWhatACommitSaysIsTrueWhileConnectionsEnd(t *testing.T) {
	t.Parallel()
	const writers = 4
	dsn := postgres(t)
	db := opened(t)(sql.Open("pgx", dsn+" application_name=storm"))
	admin := opened(t)(sql.Open("pgx", dsn))
	s := openStore(t, db, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	var mu sync.Mutex
	done, failed, ended := [writers]int{}, 0, 0
	for w := range writers {
		wg.Go(func() {
			dir := fmt.Sprintf("%d/", w)
			for ctx.Err() == nil {
				n, err := countOn(context.Background(), s, dir)
				mu.Lock()
				switch {
				case err == nil:
					done[w] = n
				case errors.Is(err, atomicedit.ErrStale), errors.Is(err, atomicedit.ErrUnfinished):
					t.Errorf("writer %d: %v", w, err)
				default:
					failed++
				}
				mu.Unlock()
			}
		})
	}
	for ctx.Err() == nil {
		pids, err := backends(t.Context(), admin, "storm")
		if err != nil {
			t.Error(err)
			break
		}
		if len(pids) > 0 {
			admin.Exec("SELECT pg_terminate_backend($1)", pids[rand.IntN(len(pids))])
			ended++
		}
		time.Sleep(rand.N(20 * time.Millisecond))
	}
	wg.Wait()
	sum := 0
	for w := range writers {
		n, err := counted(t.Context(), s, fmt.Sprintf("%d/", w))
		if err != nil || n != done[w] {
			t.Errorf("writer %d counted to %d, and the files have %d: %v", w, done[w], n, err)
		}
		sum += n
	}
	tally("on PostgreSQL, by writers whose connections the server ended at random: done", sum)
	tally("on PostgreSQL, by writers whose connections the server ended at random: not done, and said so", failed)
	tally("on PostgreSQL, connections that the server ended at random", ended)
}
