package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// Parsing a request of ten times the elements may make no more than 15 times the work, and so may a stream of it in
// small chunks.
func TestCostOfParsingGrowsNoFasterThanTheRequest(t *testing.T) {
	list := func(format string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			for i := range n {
				b.WriteString("," + strings.ReplaceAll(format, "$", fmt.Sprint(i+1)))
			}
			return b.String()[1:]
		}
	}
	within := func(before string, make func(n int) string, after string) func(n int) string {
		return func(n int) string { return before + make(n) + after }
	}
	const call = `{"id":"$","name":"edit","input":{"path":"x","start_line":$,"end_line":$,"content":"new\n"}}`
	for name, request := range map[string]func(n int) string{
		"edits": within(`{"path":"x","edits":[`, list(`{"old_string":"old $\n","new_string":"new\n"}`), `]}`),
		"edits in a call": within(`{"name":"edit","input":{"path":"x","edits":[`,
			list(`{"old_string":"old $\n","new_string":"new\n"}`), `]}}`),
		"refused edits": within(`{"path":"x","edits":[`, list(`{"old_string":"old","new_string":"old","other":$}`),
			`]}`),
		"edits cut off": within(`{"path":"x","edits":[`, list(`{"old_string":"old $\n","new_string":"new\n"}`), ``),
		"operations":    within(`{"operations":[`, list(`{"type":"delete","path":"$"}`), `]}`),
		"calls":         within(`[`, list(call), `]`),
		"calls, twice": func(n int) string {
			return `{"content":[` + list(call)(n) + `],"tool_calls":[` +
				list(call)(n) + `]}`
		},
		"a plan":         within(`{"ops":[`, list(`{"kind":"delete","path":"$"}`), `]}`),
		"numbered edits": within(`{"path":"x",`, list(`"old_string_$":"old","new_string_$":"new"`), `}`),
		"fields":         within(`{"path":"x",`, list(`"field $":$`), `}`),
		"JSON lines":     func(n int) string { return strings.ReplaceAll(list(call)(n), "},{", "}\n{") },
		"calls in prose": func(n int) string {
			return "Well.\n" +
				strings.ReplaceAll(list(call)(n), "},{", "}\nand\n{")
		},
		"calls by tokens": func(n int) string {
			return "[TOOL_CALLS]edit" + strings.ReplaceAll(list(call)(n), "},{", "}[TOOL_CALLS]{")
		},
		"calls by signs": func(n int) string {
			return "@edit(1): " +
				strings.ReplaceAll(list(call)(n), "},{", "}\n@edit: {")
		},
		"files by names": within(`{"files":{`, list(`"$":[{"old_string":"old","new_string":"new"}]`), `}}`),
		"parameters":     within(`{"function":"edit","parameters":[`, list(`{"name":"p$","value":"$"}`), `]}`),
		"diffs of a call": within(`{"toolCallId":"x","content":[`,
			list(`{"type":"diff","path":"$","oldText":"old","newText":"new"}`), `]}`),
		"calls in Python":  within(`[`, list(`edit(path="x", old='old $\n', new="""new\n""")`), `]`),
		"a text in Python": within(`[write(path="x", content='`, list(`\tsay("$")\x41\\\n`), `')]`),
		"joined in Python": within(`[write(path="x", content=`, list(`"$" 'x'`), `)]`),
		"nested in Python": within(`[write(path="x", content=`, list(`[[[[$]]]]`), `)]`),
		"files in fences":  within("", list("\n```save $\nnew\n```\n"), ""),
		"tool by its key": within(`{"edit_file":{"path":"x","edits":[`,
			list(`{"old_string":"old $\n","new_string":"new\n"}`), `]}}`),
		"kinds of edits": within(`{"path":"x","edits":[`,
			list(`{"old_string":"old $\n","new_string":"new\n"},{"insert_line":$,"text":"x"}`), `]}`),
		"spellings":    within(`{"path":"x",`, list(`"OLD$":1,"New$":null`), `}`),
		"a whole file": within(`{"path":"x","content":"`, list(`\tsay(\"$\")\n`), `"}`),
		"nested arrays": within(`{"path":"x","edits":`+strings.Repeat("[", 60), list(`"$"`),
			strings.Repeat("]", 60)+`}`),
		"text edits": within(`[`,
			list(`{"range":{"start":{"line":$,"character":0},"end":{"line":$,"character":1}},"newText":""}`), `]`),
		"blocks":          within("x\n", list("\n<<<<<<< SEARCH\nold $\n=======\nnew\n>>>>>>> REPLACE\n"), ""),
		"blocks of files": within("", list("\nfile$.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"), ""),
		"blocks in a call": within(`{"path":"x","blocks":"`,
			list(`\n<<<<<<< SEARCH\nold $\n=======\nnew\n>>>>>>> REPLACE\n`), `"}`),
		"a unified diff": within("--- a/x\n+++ b/x\n",
			func(n int) string { return strings.ReplaceAll(list("@@ -$ +$ @@\n-old\n+new\n")(n), ",", "") }, ""),
		"V4A": within("*** Begin Patch\n*** Update File: x\n",
			func(n int) string { return strings.ReplaceAll(list("@@\n-old $\n+new\n")(n), ",", "") },
			"*** End Patch\n"),
		"calls in tags": within("", list("\n<write_file>\n<path>$</path>\n<content>\nnew\n</content>\n</write_file>\n"),
			""),
		"edits in tags": within("<edit_file>\n<path>x</path>\n", func(n int) string {
			return strings.ReplaceAll(list("<edit>\n<old_text>old $</old_text>\n<new_text>new</new_text>\n</edit>\n")(n), ",", "")
		}, "</edit_file>\n"),
		"a call in tags": within("<write_file>\n<path>x</path>\n<content>\n",
			list("say($)\n</write_file>\n</content>x\n"), "\n</content>\n</write_file>\n"),
		"hashlines": within("[x]\n", func(n int) string {
			return strings.ReplaceAll(list("PUT $:\n+new\n")(n), ",",
				"")
		}, ""),
	} {
		for how, read := range map[string]func(request string){
			"whole":    func(request string) { atomicedit.Parse(request) },
			"streamed": stream,
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				few, many := request(400), request(4_000)
				read(few)
				allocs, size := accepttest.Allocated(func() { read(few) })
				allocs10, size10 := accepttest.Allocated(func() { read(many) })
				longer := float64(len(many)) / float64(len(few))
				if allocs10 > 1.5*longer*allocs+100 || size10 > 1.5*longer*size+100_000 {
					t.Errorf("%.1f times the request: %.0f and then %.0f allocations, %.0f and then %.0f bytes", longer,
						allocs, allocs10, size, size10)
				}
			})
		}
	}
}

// Edits that are refused behind those that a refusal names cost no more than edits that are taken.
func TestRefusedEditsCostNoMoreThanOthers(t *testing.T) {
	cost := func(edit string) float64 {
		request := `{"path":"f","edits":[` + strings.Repeat(edit+",", 2_000) + edit + `]}`
		allocs, _ := accepttest.Allocated(func() { atomicedit.Parse(request) })
		return allocs
	}
	taken := cost(`{"old_string":"a","new_string":"b"}`)
	for _, edit := range []string{`{"old_string":"a"}`, `{"old_string":"a","new_string":"b","newest":"c"}`,
		`{"old_string":"a","new_string":"a"}`, `{"old_string":"a","new_string":1}`, `{}`, `{"pat":"f"}`} {
		if refused := cost(edit); refused > 2*taken {
			t.Errorf("%s: %.0f allocations, and %.0f for edits that are taken", edit, refused, taken)
		}
	}
}

// stream asks for the plan behind every chunk of a request.
func stream(request string) {
	var s atomicedit.Stream
	for at := 0; at < len(request); at += 40 {
		s.Write([]byte(request[at:min(at+40, len(request))]))
		s.Plan()
	}
}
