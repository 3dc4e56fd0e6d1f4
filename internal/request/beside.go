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
	draft, behind, ends := strings.Cut(rest, "</think>")
	last := draft[strings.LastIndexByte(draft, '\n')+1:]
	ends = ends && text.IsBlank(text.FirstLine(behind)) && !hasAnyPrefix(last, "+", "-", " ") // as in a diff
	if ends && !strings.Contains(draft, "<think>") {
		if p, err := Parse(draft); err == nil && len(p.Ops) > 0 {
			return "", true, plan.Syntax(1+lines+strings.Count(draft, "\n"), "\"</think>\" ends thoughts, and "+
				"the request above it may be a draft: expected the request alone")
		}
	}
	return strings.Repeat("\n", lines) + rest, thinks, nil
}

// whole returns a plan that was read from a request, unless a call stands beside what it was read from: in none of the
// spans that were read, which are in order, nor in a text of the plan, where it is content.
func whole(request string, p plan.Plan, read [][2]int) (plan.Plan, error) {
	isRead := func(at int) bool {
		for len(read) > 0 && read[0][1] <= at {
			read = read[1:]
		}
		return len(read) > 0 && read[0][0] <= at
	}
	content, behind := "", 0 // the texts of the plan, and where the last call that is content ends
	isContent := func(s string) bool {
		if content == "" {
			content = "\n" + textsOf(p)
		}
		s = withoutSpace(s)
		for _, from := range [...]int{behind, 0} {
			if n := strings.Index(content[from:], s); n >= 0 {
				behind = from + n + len(s)
				return true
			}
		}
		return false
	}
	data, from, above := []byte(request), 0, ""
	hasCommands := read == nil && p.Format != "commands" && strings.Contains(request, hashline.EndOfEdit)
	hasTokens := read == nil && hasCallTokens(request)
	for in := (text.Scanner{Src: request}); in.Scan(); above = in.Line {
		if in.At < from {
			continue
		}
		at, end := -1, in.At
		switch {
		case hasCommands && hashline.IsLineEdit(in.Line), hasTokens && hasAnyPrefix(in.Line, callTokens...):
			at, end = in.At, in.Next
		case strings.IndexByte(in.Line, '{') >= 0, strings.HasPrefix(in.Line, "["), strings.HasPrefix(above, codeFence):
			at, end = callAt(data, &in, above)
		}
		if from = end; at >= 0 && !isRead(at) && !isContent(request[at:end]) {
			return plan.Plan{}, plan.BadLine(&in, " begins a call in another format than the rest of the request: "+
				"expected one format; send two requests, or leave the call out")
		}
	}
	return p, nil
}

const codeFence = "```tool_code"

// callAt returns where a call begins and ends that begins in the current line; -1 if none does, and where to look next.
func callAt(data []byte, in *text.Scanner, above string) (at, end int) {
	request, line := in.Src, text.Unindented(in.Line)
	if (strings.HasPrefix(line, "[") || strings.HasPrefix(above, codeFence)) && pycall.Begins(line) {
		tools, arguments, end, err := pycall.Read(request, in.At)
		if err != nil {
			return -1, err.(*jsonobj.Error).Offset
		}
		for i := range arguments {
			if call.AsksForEdit(tools[i], arguments[i]) {
				return in.At + len(in.Line) - len(line), end
			}
		}
		return -1, end
	}
	tool, at := beginOfJSON(in.Line)
	const marks = "-*+>|0123456789.) \t" // of a list, a quotation or a table
	if at < 0 && line != "" && strings.IndexByte(marks, line[0]) >= 0 {
		if item := strings.TrimLeft(line, marks); beginsJSON(item) {
			at = len(in.Line) - len(item)
		}
	}
	if at < 0 {
		return -1, in.At
	}
	if label, value := labelOf(above); tool == "" && slices.Contains(toolLabels, label) {
		tool = strings.Trim(value, "`")
	}
	at += in.At
	v, err := jsonobj.ParseFirst(data[at:], at)
	if err != nil {
		return -1, err.(*jsonobj.Error).Offset
	}
	end = at + len(v.Raw)
	inTag := strings.HasPrefix(strings.TrimLeft(request[end:], text.Space+"\n"), "</")
	if inTag || !isCall(tool, v) {
		return -1, end
	}
	return at, end
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
	asks := func(arguments string) bool { return call.AsksForEdit(cmp.Or(tool, name), o.Value(arguments)) }
	return call.AsksForEdit(tool, v) || slices.ContainsFunc(field.ArgumentNames, asks)
}

// textsOf returns the texts of a plan, without white space.
func textsOf(p plan.Plan) string {
	var b strings.Builder
	for _, op := range p.Ops {
		b.WriteString(withoutSpace(op.Content) + "\n")
		for _, e := range op.Edits {
			b.WriteString(withoutSpace(e.Old) + "\n" + withoutSpace(e.New) + "\n")
		}
	}
	return b.String()
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
