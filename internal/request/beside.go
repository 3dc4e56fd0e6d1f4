package request

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/hashline"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/pycall"
	"github.com/atomicedit/atomicedit/internal/tagcall"
	"github.com/atomicedit/atomicedit/internal/text"
)

// withoutThoughts returns a request with empty lines in the place of what a model has thought at its beginning, and
// whether there is any. A closing tag alone may end thoughts that began in the prompt: a request above it is refused,
// because it may be a draft, unless it would be cut off there, so that the tag is content.
func withoutThoughts(request string) (rest string, thinks bool, err error) {
	lines := 0
	for rest = request; ; {
		body := strings.TrimLeft(rest, text.Space+"\n")
		name, ok := tagcall.Aside(text.FirstLine(body))
		if !ok {
			break
		}
		thought, behind, ends := strings.Cut(body, "</"+name+">")
		if !ends {
			return "", true, plan.CutOff(1+lines, plan.Plan{}, "the thoughts do not end: expected </"+name+
				">, and the request behind it")
		}
		lines += strings.Count(rest[:len(rest)-len(body)]+thought, "\n")
		rest, thinks = behind, true
	}
	if n := draftIn(rest); n > 0 {
		return "", true, plan.Syntax(1+lines+strings.Count(rest[:n], "\n"), "\"</think>\" ends thoughts, and the "+
			"request above it may be a draft: expected the request alone")
	}
	return strings.Repeat("\n", lines) + rest, thinks, nil
}

// draftIn returns where thoughts end, the beginning of which was in the prompt, if a request is above; 0 otherwise. Of
// the closing tags at the beginning or the end of a line, the first and the last count. Those behind what may be the
// mark of a line in a patch count apart, and only if the request above is no patch, where they are content.
func draftIn(request string) int {
	const tag = "</think>"
	var plain, marked [2]int
	for at := 0; ; at += len(tag) {
		n := strings.Index(request[at:], tag)
		if n < 0 || strings.Contains(request[at:at+n], "\n<think>") {
			break
		}
		at += n
		behind := strings.TrimLeft(request[at+len(tag):], text.Space)
		begins, ends := at > 0 && request[at-1] == '\n', behind == "" || behind[0] == '\n'
		if !begins && !ends {
			continue
		}
		of := &plain
		if hasAnyPrefix(request[strings.LastIndexByte(request[:at], '\n')+1:], "+", "-", " ") {
			of = &marked
		}
		of[0], of[1] = cmp.Or(of[0], at), at
	}
	patches := []string{"unified", "v4a", "hashline"}
	for _, n := range slices.Compact(slices.Concat(plain[:], marked[:])) {
		p, _ := parse(request[:n], true)
		if len(p.Ops) > 0 && (slices.Contains(plain[:], n) || !slices.Contains(patches, p.Format)) {
			return n
		}
	}
	return 0
}

// whole returns a plan that was read from a request, unless a call stands beside what it was read from: in none of the
// spans that were read, which are in order, nor in a text of the plan, where it is content.
func whole(request string, p plan.Plan, read [][2]int) (plan.Plan, error) {
	b := beside{data: []byte(request), plan: p, in: text.Scanner{Src: request}}
	hasCommands := read == nil && p.Format != "commands" && strings.Contains(request, hashline.EndOfEdit)
	hasTokens := read == nil && hasCallTokens(request)
	for ; b.in.Scan(); b.above = b.in.Line {
		if b.in.At < b.from {
			continue
		}
		for len(read) > 0 && read[0][1] <= b.in.At {
			read = read[1:]
		}
		line, isCall := b.in.Line, false
		switch {
		case len(read) > 0 && read[0][0] < b.in.Next:
			b.from = read[0][1]
		case hasCommands && hashline.IsLineEdit(line), hasTokens && hasAnyPrefix(line, callTokens...):
			isCall = !b.isContent(b.in.Next)
		case strings.IndexByte(line, '{') >= 0, strings.HasPrefix(line, "["), strings.HasPrefix(b.above, codeFence):
			isCall = b.beginsCall()
		}
		if isCall {
			return plan.Plan{}, plan.BadLine(&b.in, " begins a call in another format than the rest of the request: "+
				"expected one format; send two requests, or leave the call out")
		}
	}
	return p, nil
}

// A beside looks for calls beside what a plan was read from.
type beside struct {
	data    []byte // the request
	in      text.Scanner
	above   string // the line above
	plan    plan.Plan
	content map[string]bool // the lines of the plan, without whitespace; nil until they are needed
	from    int             // where to look next
	lost    int             // how much was looked at that is no value
}

const codeFence = "```tool_code"

// beginsCall reports whether a call begins in the current line that is no content.
func (b *beside) beginsCall() bool {
	request, line := b.in.Src, text.Unindented(b.in.Line)
	if (strings.HasPrefix(line, "[") || strings.HasPrefix(b.above, codeFence)) && pycall.Begins(line) {
		tools, arguments, end, err := pycall.Read(request, b.in.At)
		if err != nil {
			b.goOn(err)
			return false
		}
		b.from = end
		for i := range arguments {
			if call.AsksForEdit(tools[i], arguments[i]) {
				return !b.isContent(end)
			}
		}
		return false
	}
	tool, at := beginOfJSON(b.in.Line)
	const marks = "-*+>|0123456789.) \t" // of a list, a quotation or a table
	if at < 0 && line != "" && strings.IndexByte(marks, line[0]) >= 0 {
		if item := strings.TrimLeft(line, marks); beginsJSON(item) {
			at = len(b.in.Line) - len(item)
		}
	}
	if at < 0 {
		return false
	}
	if label, value := labelOf(b.above); tool == "" && slices.Contains(toolLabels, label) {
		tool = strings.Trim(value, "`")
	}
	at += b.in.At
	v, err := jsonobj.ParseFirst(b.data[at:], at)
	if err != nil {
		b.goOn(err)
		return false
	}
	b.from = at + len(v.Raw)
	below := strings.TrimLeft(request[b.from:], text.Space+"\n")
	inTag := strings.HasPrefix(below, "</") && !strings.HasPrefix(below, "</think>")
	return !inTag && !b.isContent(b.from) && isCall(tool, v)
}

// goOn goes on behind what is no value or, as long as there is little of it, in the next line, where a call may begin.
func (b *beside) goOn(err error) {
	const much = 1 << 16
	end := err.(*jsonobj.Error).Offset
	if b.lost += end - b.in.At; b.lost > much {
		b.from = end
	}
}

// isContent reports whether the lines from the current one to an offset are lines of the plan, maybe behind a tag.
func (b *beside) isContent(end int) bool {
	if b.content == nil {
		b.content = map[string]bool{}
		for _, op := range b.plan.Ops {
			b.know(op.Content)
			for _, e := range op.Edits {
				b.know(e.Old)
				b.know(e.New)
			}
		}
	}
	for in := (text.Scanner{Src: b.in.Src, Next: b.in.At}); in.Next < end && in.Scan(); {
		l := withoutSpace(in.Line)
		_, inner, _ := strings.Cut(l, ">")
		if l != "" && !b.content[l] && !b.content[l[1:]] && !b.content[inner] { // l[1:] is behind the mark of a patch
			return false
		}
	}
	return true
}

func (b *beside) know(s string) {
	for l := range strings.Lines(s) {
		if l = withoutSpace(l); l != "" {
			b.content[l] = true
		}
	}
}

// isCall reports whether an object is a call, even one that lacks a field, and not data that has the fields of one.
func isCall(tool string, v jsonobj.Value) bool {
	signs := []string{"arguments", "parameters", "input", "args", "edits", "old_string", "old_str", "oldString",
		"old_text"}
	has := func(name string) bool { return bytes.Contains(v.Raw, []byte(`"`+name+`"`)) }
	if tool == "" && !slices.ContainsFunc(signs, has) {
		return false
	}
	if p, err := ParseCall(tool, v.Raw); err == nil {
		return len(p.Ops) > 0
	}
	o := objectIn(v)
	name, _ := o.Text("name")
	asks := func(arguments string) bool { return call.AsksForEdit(name, o.Value(arguments)) }
	return call.AsksForEdit(tool, v) ||
		!strings.Contains(name, " ") && slices.ContainsFunc(field.ArgumentNames, asks) // data may have any name
}

func withoutSpace(s string) string { return strings.Join(strings.Fields(s), "") }

// onlyDiff refuses a shell script that passes a diff on in a here-document, but does more than apply it where it is.
func onlyDiff(request string) error {
	if !strings.Contains(request, "<<") {
		return nil
	}
	plain := []string{"patch", "git", "apply", "-p0", "-p1", "-u", "-N", "--forward", "-", "-i", "--whitespace=fix"}
	isOther := func(word string) bool { return !slices.Contains(plain, word) }
	apart := func(line string) bool {
		isSentence := strings.HasSuffix(line, ".") && 'A' <= line[0] && line[0] <= 'Z'
		return text.IsBlank(line) || text.IsFence(line) || line[0] == '#' || strings.HasSuffix(line, ":") || isSentence
	}
	above, moves := "", false
	for in := (text.Scanner{Src: request}); in.Scan(); above = in.Line {
		line := strings.TrimPrefix(in.Line, "$ ")
		moves = moves || strings.HasPrefix(line, "cd ")
		command, word, isHere := strings.Cut(line, "<<")
		words := strings.Fields(command)
		applies := slices.Contains(words, "patch") || slices.Contains(words, "apply")
		if !isHere || !applies || !hasAnyPrefix(line, "cd ", "git ", "patch ") {
			continue
		}
		end, rest := "\n"+strings.Trim(word, "-'\" \t"), request[in.Next:]
		_, below, ends := strings.Cut(rest, end+"\n")
		ends = ends || strings.HasSuffix(rest, end)
		if moves || slices.ContainsFunc(words, isOther) || !ends || !apart(above) || !apart(text.FirstLine(below)) {
			return plan.BadLine(&in, " is in a script that does more than apply a diff, or applies it in another "+
				"way: expected the diff alone, with the paths of its files; run other commands by themselves")
		}
	}
	return nil
}
