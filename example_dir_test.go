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

func ExampleOpenDir() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("old\r\n"), 0o600); err != nil {
		log.Fatal(err)
	}

	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	plan, err := atomicedit.Parse("a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); err != nil {
		log.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	fmt.Printf("%q %v\n", data, err)
	// Output: "new\r\n" <nil>
}

func ExampleWriteFile() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "settings.json")
	if err := atomicedit.WriteFile(name, []byte("{}\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	data, err := os.ReadFile(name)
	fmt.Printf("%s%v\n", data, err)
	// Output:
	// {}
	// <nil>
}

// A program tells its user what it found after a crash.
func ExampleDir_Recovered() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	for _, what := range store.Recovered() {
		fmt.Println(what)
	}
	fmt.Println(len(store.Recovered()))
	// Output: 0
}

func Example_onADirectory() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	const reply = "*** Begin Patch\n*** Add File: docs/a.txt\n+hello\n*** End Patch\n"
	if err := carryOut(context.Background(), store, reply); err != nil {
		log.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "docs", "a.txt"))
	fmt.Printf("%s%v\n", data, err)
	// Output:
	// diff --git a/docs/a.txt b/docs/a.txt
	// new file mode 100644
	// --- /dev/null
	// +++ b/docs/a.txt
	// @@ -0,0 +1 @@
	// +hello
	// hello
	// <nil>
}
