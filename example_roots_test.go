//go:build (unix || windows) && !solaris && !aix

package atomicedit_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/atomicedit/atomicedit"
)

// A plan for two directories is carried out completely or not at all. What a user allows later is added.
func ExampleDir_Add() {
	base, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(base)
	app, lib := filepath.Join(base, "app"), filepath.Join(base, "lib")
	for _, dir := range []string{app, lib} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "version"), []byte("1\n"), 0o644); err != nil {
			log.Fatal(err)
		}
	}

	store, err := atomicedit.OpenDir(app, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	raise := []atomicedit.Edit{{Old: "1", New: "2"}}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{
		{Path: "version", Edits: raise},                     // relative to the first directory
		{Path: filepath.Join(lib, "version"), Edits: raise}, // absolute
	}}
	_, err = atomicedit.Run(context.Background(), store, plan, nil)
	fmt.Println(err != nil)

	if err := store.Add(lib); err != nil {
		log.Fatal(err)
	}
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); err != nil {
		log.Fatal(err)
	}
	for _, dir := range []string{app, lib} {
		data, err := os.ReadFile(filepath.Join(dir, "version"))
		fmt.Printf("%q %v\n", data, err)
	}
	// Output:
	// true
	// "2\n" <nil>
	// "2\n" <nil>
}
