package request

import (
	"bytes"
	"reflect"
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
		name, closing, ok := tagcall.Aside(body)
		if !ok || closing {
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
	if n, tag := draftIn(rest); n > 0 {
		return "", true, plan.Syntax(1+lines+strings.Count(rest[:n], "\n"), plan.Excerpt(tag)+" ends thoughts, and "+
			"the request above it may be a draft: expected the request alone")
	}
	return strings.Repeat("\n", lines) + rest, thinks, nil
}

// draftIn returns the tag that ends thoughts, the beginning of which was in the prompt, and where it is, if a request
// is above; 0 otherwise. It stands at the beginning or the end of a line, and not in a text of a patch that goes on.
func draftIn(request string) (at int, tag string) {
	const most = 16
	var ends []int // of the tags that may end thoughts
	for last := 0; ; {
		n := strings.Index(request[at:], "</")
		if n < 0 {
			break
		}
		begin := at + n
		at = begin + len("</")
		name, _, ok := tagcall.Aside(request[begin:])
		if !ok {
			continue
		}
		above := request[last:begin]
		last = at + len(name+">")
		below := strings.TrimLeft(request[last:], text.Space)
		atEnd := below == "" || below[0] == '\n'
		if !opensAside(above, name) && (atEnd || strings.HasSuffix(above, "\n")) {
			ends = append(ends[:min(len(ends), most-1)], last)
		}
	}
	for _, end := range ends {
		begin := strings.LastIndex(request[:end], "</")
		above, _ := parse(request[:begin], true)
		if len(above.Ops) == 0 {
			continue
		}
		line := request[strings.LastIndexByte(request[:begin], '\n')+1:]
		if above.Format != "json" && hasAnyPrefix(line, "+", "-", " ") { // maybe in a text
			rest := text.FirstLine(request[end:])
			if more, _ := parse(request[:end+len(rest)], true); !reflect.DeepEqual(above.Ops, more.Ops) {
				continue
			}
		}
		return begin, request[begin:end]
	}
	return 0, ""
}

// opensAside reports whether the text above a closing tag has the one that opens it: at the beginning or the end of a
// line, or in the same line.
func opensAside(above, name string) bool {
	at := strings.LastIndex(above, "<"+name)
	if at < 0 {
		return false
	}
	opens, _, goesOn := strings.Cut(above[at:], "\n")
	before := above[strings.LastIndexByte(above[:at], '\n')+1 : at]
	return !goesOn || text.IsBlank(before) || strings.HasSuffix(strings.TrimRight(opens, text.Space), ">")
}

// whole returns a plan that was read from a request, unless a call stands beside what it was read from: in none of the
// spans that were read, which are in order, nor in a text of the plan, where it is content.
func whole(request string, p plan.Plan, read [][2]int) (plan.Plan, error) {
	b := beside{plan: p, in: text.Scanner{Src: request}}
	hasCommands := p.Format != "commands" && strings.Contains(request, hashline.EndOfEdit)
	hasTokens := hasCallTokens(request)
	for ; b.in.Scan(); b.above = b.in.Line {
		if b.in.At < b.from {
			continue
		}
		for len(read) > 0 && read[0][1] <= b.in.At {
			read = read[1:]
		}
		line, isCall := b.in.Line, false
		if text.IsFence(line) {
			b.inCode = isToolCode(line)
		}
		switch {
		case len(read) > 0 && read[0][0] < b.in.Next:
			b.from = read[0][1]
		case hasCommands && hashline.IsLineEdit(line), hasTokens && beginsTokens(line):
			isCall = !b.isContent(b.in.Next)
		case b.inCode, strings.IndexByte(line, '{') >= 0, strings.IndexByte(line, '[') >= 0:
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
	data    []byte // the request; nil until it is needed
	in      text.Scanner
	above   string // the line above
	inCode  bool   // the line is in a code fence whose code is calls
	plan    plan.Plan
	content map[string]bool // the lines of the plan, without whitespace; nil until they are needed
	from    int             // where to look next
	lost    int             // how much was looked at that is no value
}

// beginsCall reports whether a call begins in the current line that is no content.
func (b *beside) beginsCall() bool {
	request, from := b.in.Src, b.in.At
	if at := strings.IndexAny(b.in.Line, "{["); at > 0 && b.in.Line[at] == '[' && isLabel(b.in.Line[:at]) {
		from += at
	}
	if (b.inCode || request[from] == '[') && pycall.Begins(request[from:]) {
		tools, arguments, end, err := pycall.Read(request, from)
		if err != nil {
			return b.beginsBroken(from, err)
		}
		b.from = end
		return asksForEdit(tools, arguments) && !b.isContent(end)
	}
	tool, at := beginOfJSON(b.in.Line)
	if n := strings.IndexByte(b.in.Line, '{'); at < 0 && n > 0 && isLabel(b.in.Line[:n]) && beginsJSON(b.in.Line[n:]) {
		at = n
	}
	if at < 0 {
		return false
	}
	if label, value := labelOf(b.above); tool == "" && slices.Contains(toolLabels, label) {
		tool = strings.Trim(value, "`")
	}
	if b.data == nil {
		b.data = []byte(request)
	}
	at += b.in.At
	v, err := jsonobj.ParseFirst(b.data[at:], at)
	if err != nil {
		return b.beginsBroken(at, err)
	}
	b.from = at + len(v.Raw)
	return !b.isContent(b.from) && isCall(tool, v)
}

// beginsBroken reports whether what begins at an offset would be a call, if it were right. It goes on behind what is no
// value or, as long as there is little of it, in the next line, where a call may begin.
func (b *beside) beginsBroken(at int, err error) bool {
	const much = 1 << 16
	end := err.(*jsonobj.Error).Offset
	if b.lost += end - b.in.At; b.lost > much {
		b.from = end
	}
	has := func(word string) bool { return strings.Contains(b.in.Src[at:end], word) }
	before, wrong := strings.TrimRight(b.in.Src[at:max(end-1, at)], " "), b.in.Src[max(end-1, at):]
	// The name of a variable or of a type stands in a sample.
	isName := strings.HasSuffix(before, ":") && wrong != "" && 'a' <= wrong[0] && wrong[0] <= 'z'
	isSample := isName || hasAnyPrefix(wrong, "...", "…")
	isNamed := has(`name"`) && slices.ContainsFunc(callNames, has)
	return !isSample && (isNamed || slices.ContainsFunc(call.OldNames, has)) && !b.isContent(end)
}

// isLabel reports whether nothing but marks, such as those of a list, or a label stands in front of a call.
func isLabel(s string) bool {
	s = strings.TrimRight(s, " \t*")
	return !strings.Contains(s, "`") &&
		(strings.HasSuffix(s, ":") || !text.HasLetterOrDigit(strings.TrimLeft(s, "0123456789")))
}

// isContent reports whether the lines from the current one to an offset are lines of the plan, maybe behind a tag.
func (b *beside) isContent(end int) bool {
	if b.content == nil {
		b.content = map[string]bool{}
		for _, op := range b.plan.Ops {
			texts := []string{op.Content}
			for _, e := range op.Edits {
				texts = append(texts, e.Old, e.New)
			}
			for _, s := range texts {
				for l := range strings.Lines(s) {
					b.content[withoutSpace(l)] = true
				}
			}
		}
		delete(b.content, "")
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

// callNames are fields of a call around those of an edit.
var callNames = []string{`"arguments"`, `"parameters"`, `"input"`, `"args"`, `"edits"`}

// isCall reports whether an object is a call, even one that lacks a field, and not data that has the fields of one.
func isCall(tool string, v jsonobj.Value) bool {
	has := func(name string) bool { return bytes.Contains(v.Raw, []byte(name)) }
	others := []string{"file_path", "filePath", "target_file", `"command"`}
	isNamed := tool != "" || slices.ContainsFunc(slices.Concat(callNames, call.OldNames, others), has)
	isEdit := func(op plan.Op) bool { return isNamed || op.Kind == plan.OpEdit } // data has a path and a text, too
	if p, err := ParseCall(tool, v.Raw); err == nil || !isNamed {
		return slices.ContainsFunc(p.Ops, isEdit)
	}
	o := objectIn(v)
	name, _ := o.Text("name")
	asks := func(arguments string) bool { return call.AsksForEdit(name, o.Value(arguments)) }
	changes := slices.ContainsFunc(call.OldNames, has) || has(`"content"`) || has(`"edits"`)
	return call.AsksForEdit(tool, v) ||
		changes && !strings.Contains(name, " ") && slices.ContainsFunc(field.ArgumentNames, asks) // data has any name
}

func withoutSpace(s string) string { return strings.Join(strings.Fields(s), "") }

// onlyDiff refuses a shell script that passes a diff on in a here-document: it may apply it elsewhere, or do more. A
// here-document has its last line, or is for a command that applies diffs, and was cut off.
func onlyDiff(request string) error {
	if !strings.Contains(request, "<<") {
		return nil
	}
	lines := text.SetOf(text.Split(request))
	applies := func(word string) bool { return word == "patch" || word == "apply" }
	for in := (text.Scanner{Src: request}); in.Scan(); {
		command, rest, isHere := strings.Cut(strings.TrimPrefix(in.Line, "$ "), "<<")
		end, _, _ := strings.Cut(strings.TrimLeft(rest, "- "), " ")
		end = strings.Trim(end, `\'"`)
		if isHere && (end != "" && lines[end] || hasAnyPrefix(command, "cd ", "git ", "patch ") &&
			slices.ContainsFunc(strings.Fields(command), applies)) {
			return plan.BadLine(&in, " is a command around the diff, which may do more than apply it: expected the "+
				"diff alone, with the paths of its files; run other commands by themselves")
		}
	}
	return nil
}
