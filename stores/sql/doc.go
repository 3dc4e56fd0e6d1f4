// Package sqlstore keeps trees of files in a database: SQLite in a file or in memory, or PostgreSQL and databases that
// speak its protocol. A [Store] is an [atomicedit.Store] with a history whose commits can be undone.
//
// The package works with any driver of database/sql for these databases, and imports none. It is tested with
// modernc.org/sqlite, pgx and lib/pq, but not with CockroachDB, which it recognizes. Package
// [github.com/atomicedit/atomicedit/stores/sql/sqlite] opens SQLite in one call, with a driver in pure Go.
//
// # Tables
//
// [Open] makes the tables, and migrates those of an older version of this package. On PostgreSQL they are in the first
// schema of search_path. Their names begin with atomicedit_:
//
//   - atomicedit_files has the files as they are: tree, name, mode, version, time of the last change, and content. On
//     PostgreSQL, its pages are half empty (fillfactor 50): a changed row that stays on its page does not conflict with
//     commits of other files.
//   - atomicedit_commits has the commits: number, tree, token, author and time.
//   - atomicedit_changes has the files that each commit changed: the mode, version and content before, and the version
//     after.
//   - atomicedit_schema has the version of the tables.
//
// Names of trees and files are byte strings, and times are microseconds since 1970. Other programs may read the tables.
// A program that writes atomicedit_files has to set version as well. Otherwise commits do not notice its change.
//
// # Commits
//
// A commit is one serializable transaction. It locks the rows of its files in the order of their names, compares their
// versions with those of [atomicedit.Change].Before, and writes. If the database refuses the transaction because of
// another one (a serialization failure, a deadlock, a busy SQLite), Commit tries again until its context ends.
//
// A commit of up to 200 files takes six to eight statements, and every further 200 files take two to five more. Commit
// sends each new content once and fetches none. For the history, the database copies the old contents. So a commit
// costs what it changes, however large the tree is. SQLite carries out one commit at a time. PostgreSQL carries out
// commits of different files side by side. In a small tree, it may take them for a conflict if they create files, or
// change dozens each, because it then keeps watch over pages and not rows. One of them is tried again.
//
// A commit of 50 files of 8 KB takes 1.1 to 1.7 times as long as a transaction of 50 prepared upserts without checks or
// history on PostgreSQL, and 1.2 to 2.5 times on SQLite. The benchmarks also measure 10,000 files, trees of 100,000
// files, and several nodes.
//
// # Faults
//
// A commit that fails has changed nothing, whether the process, the connection or the database died. It leaves nothing
// behind that needs recovery.
//
// If the connection is lost during COMMIT, the store finds out whether the commit was made. Every commit writes a
// random token, and the store tries to write the same token once more, over a new connection. The database refuses that
// if the commit was made, and waits while that can still happen. So the answer is definite: done, or not done. Only if
// the database does not answer for as long as [Options].Patience is the error [atomicedit.ErrUnfinished].
//
// A server that does not notice that a client is gone keeps the locks of its transaction. Set tcp_keepalives_idle or
// idle_in_transaction_session_timeout on PostgreSQL, so that others do not wait for them.
package sqlstore
