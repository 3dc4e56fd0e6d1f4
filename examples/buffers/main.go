// Buffers is an example of a custom Store: the open buffers of an editor. It opens the files named, carries out a
// request from standard input on the buffers, shows the diff and, with -save, saves them.
//
//	buffers [-C dir] [-save] file... < request
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/atomicedit/atomicedit"
)

func main() {
	dir := flag.String("C", ".", "the directory to work on")
	save := flag.Bool("save", false, "save the buffers")
	flag.Parse()
	if err := run(context.Background(), *dir, flag.Args(), os.Stdin, os.Stdout, *save); err != nil {
		fmt.Fprintln(os.Stderr, "buffers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, files []string, request io.Reader, w io.Writer, save bool) error {
	disk, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer disk.Close()
	editor := NewBuffers(disk)
	for _, name := range files {
		if _, err := editor.Read(ctx, name); err != nil {
			return err
		}
		editor.buffer(ctx, name)
	}
	text, err := io.ReadAll(request)
	if err != nil {
		return err
	}
	plan, err := atomicedit.Parse(string(text))
	if err != nil {
		return err
	}
	report, err := atomicedit.Run(ctx, editor, plan, nil)
	if err != nil {
		return err
	}
	fmt.Fprint(w, report.Diff)
	if !save {
		return nil
	}
	return editor.Save(ctx)
}
