package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestAHeadingBetweenHunksNamesTheFile(t *testing.T) {
	twoFiles := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f.go", Edits: []atomicedit.Edit{firstEdit}},
		{Path: "g.go", Edits: []atomicedit.Edit{secondEdit}}}}
	oneFile := accepttest.OneEdit("f.go", firstEdit, secondEdit)
	checkRead(t, atomicedit.ParseUnified, map[string]requested{
		"a sentence": {firstFile + "\nIn g.go:\n\n" + secondHunk, twoFiles},
		"a label above a fence": {"```diff\n" + firstFile + "```\n\ng.go\n```diff\n" + secondHunk + "```\n",
			twoFiles},
		"a label on a fence": {"```diff\n" + firstFile + "```\n\n```diff g.go\n" + secondHunk + "```\n",
			twoFiles},
		"in bold": {"```diff\n" + firstFile + "```\n\n**g.go**\n\n```diff\n" + secondHunk + "```\n",
			twoFiles},
		"in the fence": {"```diff\n" + firstFile + "# g.go\n" + secondHunk + "```\n", twoFiles},
		"above both": {"### f.go\n```diff\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n```\n\n### g.go\n```diff\n" +
			secondHunk + "```\n", twoFiles},
		"Subversion's": {firstFile +
			"Index: g.go\n===================================================================\n" + secondHunk,
			twoFiles},
		"diff's":                     {firstFile + "diff -u a/g.go b/g.go\n" + secondHunk, twoFiles},
		"of the same file":           {firstFile + "\nAgain in f.go:\n" + secondHunk, oneFile},
		"of the same file, a prefix": {firstFile + "\nb/f.go:\n" + secondHunk, oneFile},
		"none": {"```diff\n" + firstFile + "```\nNow the second place:\n```diff\n" + secondHunk +
			"```\n", oneFile},
		"none, lines left out": {firstFile + "...\n" + secondHunk, oneFile},
		"under a header":       {"**g.go**\n" + firstFile + secondHunk, oneFile},
		"a mention before any name": {"Since g.go needs it:\n\n```diff\n" + secondHunk + "```\n",
			accepttest.OneEdit("", secondEdit)},
		"a word before any name": {"Patch\n" + secondHunk, accepttest.OneEdit("", secondEdit)},
	})
}

func TestWhatWouldBeLostBetweenHunksIsRefused(t *testing.T) {
	const contextDiff = "*** g.go\n--- g.go\n***************\n*** 1,2 ****\n  a\n! b\n--- 1,2 ----\n  a\n! c\n"
	checkRefused(t, atomicedit.ParseUnified, false, map[string]refused{
		"a mention": {"```diff\n" + firstFile + "```\n\ng.go has to follow.\n```diff\n" + secondHunk +
			"```\n", 10, "\"g.go\" is named above the hunk on line 12"},
		"a context diff":       {contextDiff, 3, "a context diff"},
		"a context diff below": {firstFile + contextDiff, 9, "a context diff"},
		"a plain diff":         {"2c2\n< b\n---\n> c\n", 1, "in \"normal\" format"},
		"a plain diff below":   {firstFile + "diff g.go h.go\n2,3d1\n< b\n< c\n", 8, "in \"normal\" format"},
		"all quoted":           {"> --- a/f.go\n> +++ b/f.go\n> @@ -1 +1 @@\n> -b\n> +c\n", 1, "first column"},
		"one indented": {"```\n" + firstFile +
			"```\n\n   ```diff\n   --- a/g.go\n   +++ b/g.go\n   @@ -5 +5 @@\n   -x\n   +y\n   ```\n", 11,
			"first column"},
		"a hunk indented":      {"```\n" + firstFile + "```\n\n  @@\n  -x\n  +y\n", 10, "first column"},
		"a name in its header": {firstFile + "@@ g.go @@\n-x\n+y\n", 7, "would otherwise go to \"f.go\""},
		"a header indented":    {" --- a/f.go\n +++ b/f.go\n" + secondHunk, 1, "first column"},
		"a bare rename":        {firstFile + "\nrename from g.go\nrename to h.go\n", 8, "first line"},
		"escapes":              {`--- a/f.go\n+++ b/f.go\n@@ -1 +1 @@\n-b\n+c\n`, 1, "line breaks"},
	})
	mail := "From: a\nSubject: b\n\n    --- a/x\n    +++ b/x\n    @@ -1 +1 @@\n---\n f.go | 2 +-\n\n" + firstFile +
		"-- \n2.43.0\n"
	got, err := atomicedit.ParseUnified(mail)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(accepttest.OneEdit("f.go", firstEdit), got, accepttest.ButWords); diff != "" {
		t.Errorf("a diff quoted in a mail's words (-want +got):\n%s", diff)
	}
}
