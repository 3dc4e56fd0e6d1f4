package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
	"github.com/atomicedit/atomicedit/stores/sql/sqlite"
)

// With PostgreSQL, the program chooses the driver. Several trees may share a database.
func ExampleOpen() {
	ctx := context.Background()
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL")) // after import _ "github.com/jackc/pgx/v5/stdlib"
	if err != nil {
		log.Fatal(err)
	}
	store, err := sqlstore.Open(ctx, db, &sqlstore.Options{Tree: "project 7"})
	if err != nil {
		log.Fatal(err)
	}
	if err := store.Commit(ctx, []atomicedit.Change{{Path: "a.txt", After: &atomicedit.File{Data: []byte("new\n")}}}); err != nil {
		log.Fatal(err)
	}
}

// A host edits files in a database, and a person undoes its last change.
func Example() {
	type userKey struct{}
	ctx := context.WithValue(context.Background(), userKey{}, "ada")
	store, err := sqlite.Open(ctx, ":memory:", &sqlstore.Options{
		Author: func(ctx context.Context) string { return ctx.Value(userKey{}).(string) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	for _, args := range []string{
		`{"command": "create", "path": "a.conf", "file_text": "port = 80\nhost = a\n"}`,
		`{"command": "str_replace", "path": "a.conf", "old_str": "port = 80", "new_str": "port = 8080"}`,
	} {
		if _, err := host.Call(ctx, "str_replace_editor", []byte(args)); err != nil {
			log.Fatal(err)
		}
	}
	show := func() {
		f, err := store.Read(ctx, "a.conf")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s", f.Data)
	}
	show()

	for commit, err := range store.History(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("undo a commit of", commit.Author, "to", commit.Changes[0].Path)
		if err := store.Undo(ctx, commit.ID); err != nil {
			log.Fatal(err)
		}
		break
	}
	show()
	// Output:
	// port = 8080
	// host = a
	// undo a commit of ada to a.conf
	// port = 80
	// host = a
}
