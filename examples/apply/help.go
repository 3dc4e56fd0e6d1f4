package main

import "runtime/debug"

// summary is the answer to -h. It fits a screen of 24 lines of 80 columns.
const summary = `usage: apply [flags] [file ...]

Carries out the requests in the files, or on standard input: all, or nothing.
  -C dir       change the files in dir        -keep       keep the run for -undo
  -n, -check   only show what would be done   -undo       undo the last kept run
  -R           reverse the requests           -state dir  have kept runs in dir
  -p n         cut n parts off diff paths     -json       report in JSON
  -color when  auto, always or never          -version    print the version
The exit status is 0: done, 1: refused, 2: wrong usage, 3: any other error.

SEARCH/REPLACE      V4A patch                unified diff       hashlines
  a.txt               *** Begin Patch          --- a/a.txt        [a.txt]
  <<<<<<< SEARCH      *** Update File: a.txt   +++ b/a.txt        PUT 1:
  x = 1               @@                       @@ -1 +1 @@        +x = 2
  =======             -x = 1                   -x = 1
  x = 2               +x = 2                   +x = 2
  >>>>>>> REPLACE     *** End Patch
JSON of tool calls, calls as tags, and JSON of language servers
  {"path": "a.txt", "old_string": "x = 1", "new_string": "x = 2"}
  <edit path="a.txt"><old_str>x = 1</old_str><new_str>x = 2</new_str></edit>
  {"changes": {"a.txt": [{"range": {"start": {"line": 0, "character": 4},
                   "end": {"line": 0, "character": 5}}, "newText": "2"}]}}
`

// version names the build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "apply of an unknown version"
	}
	return "apply " + info.Main.Version + " " + info.GoVersion
}
