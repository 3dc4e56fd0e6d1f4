package formats_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"pgregory.net/rapid"
)

// A grammar is what the tests understand of Lark: rules, strings, terminals that are regular expressions, groups, "|",
// "?", "*" and "+".
type grammar map[string]expr

// An expr is a part of a rule.
type expr interface {
	draw(t *rapid.T, g grammar, b *strings.Builder)
	// ends returns where the expression may end in s if it begins at an offset.
	ends(g grammar, s string, at int) []int
}

type (
	choice   []expr
	sequence []expr
	literal  string
	terminal struct {
		pattern string
		match   *regexp.Regexp
	}
	name     string
	repeated struct {
		expr
		least, most int
	}
)

func (c choice) draw(t *rapid.T, g grammar, b *strings.Builder) {
	c[rapid.IntRange(0, len(c)-1).Draw(t, "alternative")].draw(t, g, b)
}

func (c choice) ends(g grammar, s string, at int) (all []int) {
	for _, e := range c {
		all = union(all, e.ends(g, s, at))
	}
	return all
}

func (q sequence) draw(t *rapid.T, g grammar, b *strings.Builder) {
	for _, e := range q {
		e.draw(t, g, b)
	}
}

func (q sequence) ends(g grammar, s string, at int) []int {
	now := []int{at}
	for _, e := range q {
		var next []int
		for _, at := range now {
			next = union(next, e.ends(g, s, at))
		}
		now = next
	}
	return now
}

func (l literal) draw(_ *rapid.T, _ grammar, b *strings.Builder) { b.WriteString(string(l)) }

func (l literal) ends(_ grammar, s string, at int) []int {
	if strings.HasPrefix(s[at:], string(l)) {
		return []int{at + len(l)}
	}
	return nil
}

func (x terminal) draw(t *rapid.T, _ grammar, b *strings.Builder) {
	b.WriteString(rapid.StringMatching(x.pattern).Draw(t, "terminal"))
}

// Every terminal ends where its line does, so that its longest match is the one that counts.
func (x terminal) ends(_ grammar, s string, at int) []int {
	if m := x.match.FindString(s[at:]); m != "" {
		return []int{at + len(m)}
	}
	return nil
}

func (n name) draw(t *rapid.T, g grammar, b *strings.Builder) { g[string(n)].draw(t, g, b) }
func (n name) ends(g grammar, s string, at int) []int         { return g[string(n)].ends(g, s, at) }

func (r repeated) draw(t *rapid.T, g grammar, b *strings.Builder) {
	for range rapid.IntRange(r.least, min(r.most, r.least+3)).Draw(t, "times") {
		r.expr.draw(t, g, b)
	}
}

func (r repeated) ends(g grammar, s string, at int) (all []int) {
	if r.least == 0 {
		all = []int{at}
	}
	now := []int{at}
	for n := 1; n <= r.most && len(now) > 0; n++ {
		var next []int
		for _, at := range now {
			next = union(next, r.expr.ends(g, s, at))
		}
		now = next
		if n >= r.least {
			all = union(all, now)
		}
	}
	return all
}

// union adds those of more to all that are not in it.
func union(all, more []int) []int {
	for _, n := range more {
		found := false
		for _, m := range all {
			found = found || m == n
		}
		if !found {
			all = append(all, n)
		}
	}
	return all
}

// derives reports whether the grammar derives s.
func (g grammar) derives(s string) bool {
	for _, end := range name("start").ends(g, s, 0) {
		if end == len(s) {
			return true
		}
	}
	return false
}

// readGrammar reads a grammar. A line that begins with a name and a colon begins a rule.
func readGrammar(t *testing.T, text string) grammar {
	g := grammar{}
	tokens := regexp.MustCompile(`\A\s*("(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)+/|\w+:?|[()|?*+])`)
	rest, rule := text, ""
	var alternatives func() expr
	next := func() (token string) {
		if m := tokens.FindStringSubmatch(rest); m != nil {
			token = m[1]
		}
		return token
	}
	take := func() string {
		m := tokens.FindStringSubmatch(rest)
		rest = rest[len(m[0]):]
		return m[1]
	}
	factor := func() (e expr) {
		switch token := take(); {
		case token == "(":
			e = alternatives()
			if take() != ")" {
				t.Fatalf("%s: a group is not closed", rule)
			}
		case token[0] == '"':
			e = literal(strings.ReplaceAll(token[1:len(token)-1], `\\`, `\`))
		case token[0] == '/':
			pattern := token[1 : len(token)-1]
			e = terminal{pattern, regexp.MustCompile(`\A(?:` + pattern + `)`)}
		default:
			e = name(token)
		}
		many := map[string][2]int{"?": {0, 1}, "*": {0, 1 << 20}, "+": {1, 1 << 20}}
		if m, ok := many[next()]; ok {
			take()
			e = repeated{e, m[0], m[1]}
		}
		return e
	}
	alternatives = func() expr {
		all := choice{sequence{}}
		for {
			switch token := next(); {
			case token == "|":
				take()
				all = append(all, sequence{})
			case token == "" || token == ")" || strings.HasSuffix(token, ":"):
				return all
			default:
				last := len(all) - 1
				all[last] = append(all[last].(sequence), factor())
			}
		}
	}
	for next() != "" {
		rule = strings.TrimSuffix(take(), ":")
		g[rule] = alternatives()
	}
	if strings.TrimSpace(rest) != "" {
		t.Fatalf("not understood: %q", rest)
	}
	return g
}

func patchTool(t *testing.T) (atomicedit.Tool, grammar) {
	tool := accepttest.Must(atomicedit.Tools("apply_patch"))[0]
	return tool, readGrammar(t, tool.Grammar)
}

func TestOnlyToolsThatTakeTextHaveAGrammar(t *testing.T) {
	for _, tool := range accepttest.Must(atomicedit.Tools()) {
		if (tool.Grammar != "") != (tool.Name == "apply_patch") {
			t.Errorf("%s: %q", tool.Name, tool.Grammar)
		}
	}
}

func TestWhatTheGrammarDerivesIsRead(t *testing.T) {
	tool, g := patchTool(t)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		name("start").draw(t, g, &b)
		p, err := tool.Parse([]byte(b.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if !g.derives(b.String()) {
			t.Fatalf("not derived:\n%s", b.String())
		}
		for _, op := range p.Ops {
			for _, e := range op.Edits {
				if strings.Contains(e.Hunk, "?") {
					t.Fatalf("a line without a prefix:\n%s", b.String())
				}
			}
		}
	})
}

func TestWhatIsPrintedAsAPatchIsDerived(t *testing.T) {
	_, g := patchTool(t)
	rapid.Check(t, func(t *rapid.T) {
		p := drawV4A(t)
		if len(p.Ops) == 1 && p.Ops[0].Path == "" {
			p = p.ForFile("f")
		}
		text, err := p.V4A()
		if err == nil && !g.derives(text) {
			t.Fatalf("not derived:\n%s", text)
		}
	})
}

func TestThePrintedExamplesAreDerivedAndOthersAreNot(t *testing.T) {
	_, g := patchTool(t)
	const head, tail = "*** Begin Patch\n*** Update File: a\n", "*** End Patch\n"
	for text, want := range map[string]bool{
		head + "@@\n-a\n+b\n" + tail:                                   true,
		head + "*** Move to: b\n" + tail:                               true,
		head + "@@ class A:\n@@\n-a\n*** End of File\n@@\n+b\n" + tail: true,
		"*** Begin Patch\n*** Add File: a\n" + tail:                    true,
		head + tail:                             false,
		head + "-a\n" + tail:                    false,
		head + "@@\na\n" + tail:                 false,
		head + "@@\n-a\n+++ b\n@@\n-c\n" + tail: false,
		head + "@@\n-a\n+++ b\n" + tail:         true,
		"*** Begin Patch\n" + tail:              false,
		head + "@@\n-a\n":                       false,
	} {
		if g.derives(text) != want {
			t.Errorf("derived: %v\n%s", !want, text)
		}
	}
}
