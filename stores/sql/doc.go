// Package sqlstore keeps trees of files in a database: SQLite in one file or in memory, or PostgreSQL and what speaks its
// protocol. A [Store] is an [atomicedit.Store], with a history that can be undone.
//
// The package works with any driver of database/sql for these databases, and imports none. Package
// [github.com/atomicedit/atomicedit/stores/sql/sqlite] opens SQLite in one call, with a driver in pure Go.
//
// # Tables
//
// [Open] makes the tables, and migrates those of an older version of this package. Their names begin with atomicedit_:
//
//   - atomicedit_files has the files as they are: tree, name, mode, version, content, and when the file was changed.
//   - atomicedit_commits has the commits: their number, tree, author, time, and a token.
//   - atomicedit_changes has the files that a commit changed: the versions before and after, and the content before.
//   - atomicedit_schema has the version of the tables.
//
// Names of trees and files are byte strings, and times count microseconds since 1970. Other programs may read the tables. A
// program that writes atomicedit_files must set version as well, or commits do not notice its change.
//
// # Commits
//
// A commit is one serializable transaction. It locks the rows of its files in the order of their names, compares their versions
// with those of [atomicedit.Change].Before, and writes. If the database refuses the transaction because of another one
// (a serialization failure, a deadlock, a busy SQLite), Commit tries again until its context ends.
//
// A commit takes about eight statements, and for each further 200 files two to five more. It sends the new content once and fetches
// no content. The history copies the old content inside the database. So a commit costs what it changes, however large the tree
// is. Two commits to PostgreSQL exclude each other only where they touch the same files or neighbors in the index; two
// commits to SQLite always do.
//
// Every commit writes a random token. If the connection is lost during COMMIT, the store connects again and tries to write the
// token once more. The database lets it only if the first transaction has not been committed and never will be. So the answer is
// definite: done, or not done.
package sqlstore
