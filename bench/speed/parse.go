package speed

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// The targets of parsers, in megabytes of the request per second. JSON has to be checked and unquoted before it is
// read.
const (
	textRate = 250
	jsonRate = 60
)

// chunk is how many bytes of a request arrive at once in a stream: about ten tokens.
const chunk = 40

// Parsing has the rows of the table about parsers. The requests have an edit for every ten lines of the text.
var Parsing = []Work{
	{Name: "ParseBlocks", Lines: 10_000, Rate: textRate, Make: parse(blocks, atomicedit.ParseBlocks)},
	{Name: "ParseUnified, a hunk for every change", Lines: 10_000, Rate: textRate,
		Make: parse(unified, atomicedit.ParseUnified)},
	{Name: "ParseV4A", Lines: 10_000, Rate: textRate, Make: parse(v4a, atomicedit.ParseV4A)},
	{Name: "ParseHashline", Lines: 10_000, Rate: textRate, Make: parse(hashlines, atomicedit.Parse)},
	{Name: "ParseJSON of a list of edits", Lines: 10_000, Rate: jsonRate, Make: parse(edits, parseJSON)},
	{Name: "ParseJSON of a message with a call", Lines: 10_000, Rate: jsonRate, Make: parse(message, parseJSON)},
	{Name: "ParseJSON of a whole file", Lines: 10_000, Rate: jsonRate, Make: parse(wholeFile, parseJSON)},
	{Name: "ParseJSON of a patch", Lines: 10_000, Rate: jsonRate, Make: parse(v4aCall, parseJSON)},
	{Name: "ParseJSON of a printed plan", Lines: 10_000, Rate: jsonRate, Make: parse(printed, parseJSON)},
	{Name: "Tool.Parse of a list of edits", Lines: 10_000, Rate: jsonRate, Make: parse(edits, parseCall("multi_edit"))},
	{Name: "ParseLSP", Lines: 10_000, Rate: jsonRate,
		Make: parse(textEdits, func(s string) (atomicedit.Plan, error) { return atomicedit.ParseLSP([]byte(s)) })},
	{Name: "a Stream of blocks", Lines: 10_000, Times: 3, Make: stream(blocks, "", atomicedit.Parse)},
	{Name: "a Stream of a unified diff", Lines: 10_000, Times: 3, Make: stream(unified, "", atomicedit.Parse)},
	{Name: "a Stream of a list of edits", Lines: 10_000, Times: 3,
		Make: stream(edits, "multi_edit", parseCall("multi_edit"))},
	{Name: "a Stream of blocks in a string", Lines: 10_000, Times: 3,
		Make: stream(blocksCall, "file_write_or_edit", parseCall("file_write_or_edit"))},
	{Name: "a Stream of a whole file", Lines: 10_000, Times: 3, Make: stream(wholeFile, "", atomicedit.Parse)},
}

type parser func(request string) (atomicedit.Plan, error)

func parseJSON(request string) (atomicedit.Plan, error) { return atomicedit.ParseJSON([]byte(request)) }

// parseCall parses the arguments of a tool.
func parseCall(tool string) parser {
	return func(request string) (atomicedit.Plan, error) {
		return atomicedit.Tool{Name: tool}.Parse([]byte(request))
	}
}

// parse makes jobs that parse a request whole.
func parse(request func(text []string) string, parse parser) func(Text, int) Job {
	return func(t Text, lines int) Job {
		s := request(splitLines(t(lines, 0)))
		if _, err := parse(s); err != nil {
			panic(err)
		}
		return Job{Input: Input{Old: []byte(s)}, Ours: func(in Input) {
			s, _ := in.strings()
			parse(s)
		}}
	}
}

// stream makes jobs that ask for the plan behind every chunk of a request. The floor parses it whole.
func stream(request func(text []string) string, tool string, whole parser) func(Text, int) Job {
	return func(t Text, lines int) Job {
		job := parse(request, whole)(t, lines)
		job.Floor = job.Ours
		job.Ours = func(in Input) {
			s := atomicedit.Stream{Tool: tool}
			for at := 0; at < len(in.Old); at += chunk {
				s.Write(in.Old[at:min(at+chunk, len(in.Old))])
				s.Plan()
			}
		}
		return job
	}
}

// splitLines returns the lines of a text that no format takes for a marker.
func splitLines(text []byte) (lines []string) {
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "=======") && !strings.HasPrefix(line, "<<<<<<<") &&
			!strings.HasPrefix(line, ">>>>>>>") {
			lines = append(lines, line)
		}
	}
	return lines
}

// pieces calls f with every ten lines of a text and the number of the first one.
func pieces(lines []string, f func(piece []string, number int)) {
	for at := 0; at+10 <= len(lines); at += 10 {
		f(lines[at:at+10], at+1)
	}
}

// changed returns a piece with a new line in place of the fifth.
func changed(piece []string, number int) string {
	return strings.Join(piece[:4], "") + fmt.Sprintf("line %d\n", number) + strings.Join(piece[5:], "")
}

func blocks(lines []string) string {
	var b strings.Builder
	b.WriteString("x.go\n")
	pieces(lines, func(piece []string, n int) {
		fmt.Fprintf(&b, "<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n", strings.Join(piece, ""), changed(piece, n))
	})
	return b.String()
}

func v4a(lines []string) string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n*** Update File: x.go\n")
	pieces(lines, func(piece []string, n int) {
		context := func(lines []string) string { return " " + strings.Join(lines, " ") }
		fmt.Fprintf(&b, "@@\n%s-%s+line %d\n%s", context(piece[:4]), piece[4], n, context(piece[5:]))
	})
	return b.String() + "*** End Patch\n"
}

func unified(lines []string) string {
	var b strings.Builder
	b.WriteString("--- a/x.go\n+++ b/x.go\n")
	pieces(lines, func(piece []string, n int) {
		context := func(lines []string) string { return " " + strings.Join(lines, " ") }
		fmt.Fprintf(&b, "@@ -%d,10 +%d,10 @@\n%s-%s+line %d\n%s", n, n, context(piece[:4]), piece[4], n,
			context(piece[5:]))
	})
	return b.String()
}

func hashlines(lines []string) string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n[x.go]\n")
	pieces(lines, func(piece []string, n int) {
		fmt.Fprintf(&b, "PUT %d-%d:\n+%s", n, n+9, strings.Join(piece, "+"))
	})
	return b.String() + "*** End Patch\n"
}

// An object is printed as JSON, with its keys in alphabetical order.
type object = map[string]any

func printJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func edits(lines []string) string {
	var all []object
	pieces(lines, func(piece []string, n int) {
		all = append(all, object{"old_string": strings.Join(piece, ""), "new_string": changed(piece, n)})
	})
	return `{"file_path":"x.go","edits":` + printJSON(all) + "}"
}

func message(lines []string) string {
	call := object{"type": "function", "id": "call_1",
		"function": object{"name": "multi_edit", "arguments": edits(lines)}}
	return printJSON(object{"choices": []object{{"message": object{"role": "assistant",
		"tool_calls": []object{call}}}}})
}

func wholeFile(lines []string) string {
	return printJSON(object{"file_path": "x.go", "content": strings.Join(lines, "")})
}

func v4aCall(lines []string) string { return printJSON(object{"input": v4a(lines)}) }

func blocksCall(lines []string) string {
	return fmt.Sprintf(`{"file_path":"x.go","percentage_to_change":10,"text_or_search_replace_blocks":%s}`,
		printJSON(strings.TrimPrefix(blocks(lines), "x.go\n")))
}

func printed(lines []string) string {
	p, err := atomicedit.ParseBlocks(blocks(lines))
	if err != nil {
		panic(err)
	}
	return printJSON(p)
}

func textEdits(lines []string) string {
	var all []object
	pieces(lines, func(piece []string, n int) {
		at := object{"line": n, "character": 0}
		all = append(all, object{"range": object{"start": at, "end": object{"line": n + 9, "character": 0}},
			"newText": changed(piece, n)})
	})
	return printJSON(object{"changes": object{"file:///x.go": all}})
}
