package lint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Parsing only the declarations that a change touches leads to the same warning as parsing the whole texts.
func TestGoSyntaxOfChangedDeclarations(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"func f() {\n", "}\n", "func g() {\n\ta := 1\n}\n", "func (t T) m() {}\n", "\tx := `\n", "`\n", "/*\n", "*/\n",
		"// func\n", "\n",
		"type T struct {\n\ta int `json:\"a\"`\n}\n", "var x = \"/*\"\n", "import \"b\"\n", "\tif x {\n", "\t}\n",
		"const c = '{'\n",
		"func {}\n", "}}\n", "\ta = (\n", "var s = `\nfunc h() {\n", "\tgo func() {\n", "\t}()\n", "x :=\nfunc() {}\n",
		"func(a) m(b) {\n", "\"\n", "\r\n",
		"var y = 1\n", "a = `x` + `y`\n", "func h() {\n\t/* ` */\n}\n",
	})
	whole := func(before, after string) []Warning {
		lang, _ := syntaxOf(".go")
		c := changeOf("a.go", []byte(before), []byte(after))
		all := brackets(lang, c)
		if errs := goErrors([]byte(after)); errs != nil && goErrors([]byte(before)) == nil {
			all = append(all, c.broken(errs[0].Pos.Line, "this is no longer valid Go: %s", errs[0].Msg)...)
		}
		return all
	}
	rapid.Check(t, func(t *rapid.T) {
		lines := func(label string, max int) string {
			return strings.Join(rapid.SliceOfN(pieces, 0, max).Draw(t, label), "")
		}
		top, bottom := "package a\n"+lines("top", 5), lines("bottom", 20)
		if rapid.Bool().Draw(t, "without a package") {
			top = strings.TrimPrefix(top, "package a\n")
		}
		before, after := top+lines("old", 3)+bottom, top+lines("new", 3)+bottom
		if diff := cmp.Diff(whole(before, after), code(changeOf("a.go", []byte(before), []byte(after)))); diff != "" {
			t.Fatalf("from\n%s\nto\n%s\nwarnings (-whole +changed):\n%s", before, after, diff)
		}
	})
}

func TestChangedDeclarations(t *testing.T) {
	const f, g, h = "func f() {\n\ta := 1\n}\n\n", "func g() {\n\tb := 1\n}\n\n",
		"func h() {\n\tc := `\nfunc i() {`\n}\n"
	for _, test := range []struct {
		name, before, after string
		was, is             string
	}{
		{"in the middle", "package a\n" + f + g + h, "package a\n" + f + "func g() {\n\tb := 2\n}\n\n" + h,
			"package a;func g() {\n\tb := 1\n}\n\n", "package a;func g() {\n\tb := 2\n}\n\n"},
		{"at the top", "package a\n" + f + g, "package b\n" + f + g, "package a\n", "package b\n"},
		{"at the end", "package a\n" + f + g, "package a\n" + f + g + h, "package a;" + g, "package a;" + g + h},
		{"a declaration that goes", "package a\n" + f + g + f + h, "package a\n" + f + f + h, "package a;" + g + f,
			"package a;" + f},
		{"in a string", "package a\n" + h, "package a\n" + strings.Replace(h, "i()", "j()", 1), "package a;" + h,
			"package a;" + strings.Replace(h, "i()", "j()", 1)},
		{"in a string with a declaration above", "package a\nvar x = `\n" + f + "`\n",
			"package a\nvar x = `\nfunc f() {\n\ta := 2\n}\n\n`\n",
			"package a;var x = `\n" + f + "`\n", "package a;var x = `\nfunc f() {\n\ta := 2\n}\n\n`\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			was, is := changeOf("a.go", []byte(test.before), []byte(test.after)).declarations()
			if diff := cmp.Diff([]string{test.was, test.is}, []string{string(was), string(is)}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A quotation mark needs a partner outside comments; one that gets its partner is no damage, and neither is a bracket
// in YAML's text.
func TestQuotationMarks(t *testing.T) {
	for _, test := range []struct {
		name, before, after string
		want                int
	}{
		{"a.toml", "v = \"1\"\n", "v = \"2\n", 1},
		{"a.js", "a('x')\n", "a('x')\nb(\"y)\n", 1},
		{"a.py", "a = 1\n", "a = 1\nprint(\"issue # 5\")\n", 0},
		{"a.js", "a = 1\n", "a = 1\nb = \"c // d\"\n", 0},
		{"a.c", "a = 1;\n", "a = 1; // 24\" wide\n", 0},
		{"a.c", "s = \"a\n;\n", "s = \"a \\\nb\";\n", 0},
		{"a.rs", "let a = 1;\n", "let a = r#\"{\"b\": [\"#;\n", 0},
		{"a.yaml", "a: [\n  \"b)\",\n  c\n]\nd: 1\n", "a: [\n  \"b)\",\n  e\n]\nd: 1\n", 0},
		{"a.json", "", "{\"a\": 1 // one\n}\n", 0},
	} {
		var before []byte
		if test.before != "" {
			before = []byte(test.before)
		}
		if got := Warnings(test.name, before, []byte(test.after)); len(got) != 0 != (test.want > 0) {
			t.Errorf("%s: %q: %v", test.name, test.after, got)
		}
	}
}
