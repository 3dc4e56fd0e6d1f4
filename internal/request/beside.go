package request

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/hashline"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/pycall"
	"github.com/atomicedit/atomicedit/internal/tagcall"
	"github.com/atomicedit/atomicedit/internal/text"
)

// withoutThoughts returns a request with spaces in the place of what a model has thought before it, and whether there
// is any: above the first marker of a format, between two tags, or up to a closing tag whose partner was in the prompt.
// Such a tag may also be content, of a request that would be cut off there.
func withoutThoughts(request string) (rest string, thinks bool, err error) {
	var b strings.Builder
	ends := true // the tag before
	for in := (text.Scanner{Src: request}); ends && in.Scan(); {
		name, ok := tagcall.Aside(in.Line)
		if !ok && marker.Of(&in) != marker.None {
			break
		} else if !ok {
			continue
		}
		var thought string
		if thought, _, ends = strings.Cut(request[in.At:], "</"+name+">"); ends {
			in.Next = in.At + len(thought) + len("</>") + len(name)
			b.WriteString(request[b.Len():in.At])
			b.WriteString(blank(request[in.At:in.Next]))
		} else if text.IsBlankText(request[:in.At]) {
			return "", true, plan.CutOff(in.No, plan.Plan{}, "the thoughts do not end: expected </"+name+
				">, and the request behind it")
		}
	}
	const end = "\n</think>\n"
	if n := strings.Index(request, end); n >= 0 && !strings.Contains(request[:n], "<think>") {
		if _, err := Parse(request[:n]); !errors.Is(err, io.ErrUnexpectedEOF) {
			b.Reset()
			b.WriteString(blank(request[:n+len(end)]))
		}
	}
	return b.String() + request[b.Len():], b.Len() > 0, nil
}

// blank returns a text of the same lines and bytes as s, all of them spaces.
func blank(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}

// whole returns a plan that was read from a request, unless a call stands beside what it was read from: in none of the
// spans that were read, nor in a text of the plan, where it is content.
func whole(request string, p plan.Plan, read [][2]int) (plan.Plan, error) {
	isRead := func(at int) bool {
		return slices.ContainsFunc(read, func(r [2]int) bool { return r[0] <= at && at < r[1] })
	}
	var content string
	isContent := func(s string) bool {
		if content == "" {
			content = "\n" + textsOf(p)
		}
		return strings.Contains(content, withoutSpace(s))
	}
	data, from, above := []byte(request), 0, ""
	hasCommands, hasTokens := strings.Contains(request, hashline.EndOfEdit), hasCallTokens(request)
	for in := (text.Scanner{Src: request}); in.Scan(); above = in.Line {
		if in.At < from {
			continue
		}
		at, end := -1, in.At
		switch {
		case read == nil && (hasCommands && hashline.IsLineEdit(in.Line) || hasTokens && beginsWithToken(in.Line)):
			at, end = in.At, in.Next
		case strings.IndexByte(in.Line, '{') >= 0, strings.HasPrefix(in.Line, "["), strings.HasPrefix(above, codeFence):
			at, end = callAt(data, &in, above)
		}
		if from = end; at >= 0 && !isRead(at) && !isContent(request[at:end]) {
			return plan.Plan{}, plan.Syntax(in.No, plan.Excerpt(in.Line)+" begins a call in another format than the "+
				"rest of the request: expected one format; send two requests, or leave the call out")
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
				return in.At, end
			}
		}
		return -1, end
	}
	tool, at := calledAt(in.Line)
	if tool == "" {
		at = beginOfJSON(in.Line)
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
	if inTag || !isCall(tool, v.Raw) {
		return -1, end
	}
	return at, end
}

func beginsWithToken(line string) bool {
	begins := func(token string) bool { return strings.HasPrefix(line, token) }
	return slices.ContainsFunc(callTokens, begins)
}

func isCall(tool string, args []byte) bool {
	p, err := ParseCall(tool, args)
	return err == nil && len(p.Ops) > 0
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

func withoutSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// onlyDiff refuses a shell script that passes a diff on in a here-document, but does more than apply it where it is.
func onlyDiff(request string) error {
	if !strings.Contains(request, "<<") {
		return nil
	}
	apart := func(line string) bool {
		return text.IsBlank(line) || text.IsFence(line) || strings.HasSuffix(line, ":")
	}
	above := ""
	for in := (text.Scanner{Src: request}); in.Scan(); above = in.Line {
		command, word, isHere := strings.Cut(in.Line, "<<")
		isCommand := isHere && !hasAnyPrefix(command, "+", "-", " ") && text.HasWord(command)
		if !isCommand || !hasAnyPrefix(in.Peek(), "--- ", "diff --git ", "Index: ") {
			continue
		}
		word = strings.Trim(word, "-'\" \t")
		_, below, _ := strings.Cut(request[in.Next:], "\n"+word+"\n")
		command = strings.Join(strings.Fields(strings.TrimPrefix(command, "$")), "")
		plain := []string{"patch", "patch-p0", "patch-p1", "gitapply", "gitapply-", "gitapply-p0", "gitapply-p1"}
		if !slices.Contains(plain, command) || !apart(above) || !apart(text.FirstLine(below)) {
			return plan.Syntax(in.No, plan.Excerpt(in.Line)+" is in a script that does more than apply a diff, or "+
				"applies it in another way: expected the diff alone, with the paths of its files; run other commands "+
				"by themselves")
		}
	}
	return nil
}
