package filehint

import (
	"path"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/field"
)

// SameFile reports whether two paths are equal, or one ends in the other, in whole components.
func SameFile(a, b string) bool { return isTail(a, b) || isTail(b, a) }

// isTail reports whether whole ends in the path tail, in whole components.
func isTail(tail, whole string) bool {
	clean := func(s string) string { return strings.TrimPrefix(path.Clean(strings.ReplaceAll(s, "\\", "/")), "/") }
	tail, whole = clean(tail), clean(whole)
	return tail == whole || strings.HasSuffix(whole, "/"+tail)
}

// IsFileName reports whether s is certainly the path of a file, even among other words. It has a known name or a known
// extension, or it has slashes and any extension. So "fmt.Println", "and/or" and "Node.js" are not file names.
func IsFileName(s string) bool {
	if !IsPath(s) {
		return false
	}
	base := s[strings.LastIndexAny(s, `/\\`)+1:]
	ext := path.Ext(base)
	switch {
	case is(base, knownFile):
		return true
	case len(ext) < 2 || ext == base || strings.ContainsAny(base, "(){}=,;"):
		return false
	case len(base) < len(s) && hasFileLikeSuffix(base) && strings.Trim(ext, ".v0123456789") != "":
		return true
	}
	return is(strings.ToLower(ext[1:]), fileEnding) && (len(base) < len(s) || !is(strings.ToLower(base), product))
}

// A nature says what a word is known as.
type nature byte

const (
	knownFile   nature = iota + 1 // a file, although it has no extension, or one that alone proves little
	bareFile                      // a file, if it stands alone on a line
	fileEnding                    // the extension of text files, and seldom the name of a field or a method
	product                       // something else, although it looks like a file
	introducing                   // a word in front of a path
	verbal                        // such a word, which makes the line a sentence
)

var natures = field.Table[map[string]nature]{Make: func() map[string]nature {
	return field.TableOf(map[nature]string{
		knownFile: `Makefile makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Gemfile Rakefile Procfile
			Vagrantfile Justfile justfile Pipfile Podfile Brewfile Caddyfile Tiltfile Earthfile CODEOWNERS LICENSE
			README CHANGELOG go.mod go.sum go.work Cargo.lock yarn.lock poetry.lock Gemfile.lock .env .gitignore
			.gitattributes .gitmodules .dockerignore .npmrc .nvmrc .editorconfig .eslintrc .prettierrc .babelrc
			.bashrc .zshrc .profile .vimrc .htaccess`,
		bareFile: `BUILD WORKSPACE COPYING NOTICE AUTHORS CONTRIBUTORS CONTRIBUTING MAINTAINERS OWNERS INSTALL
			NEWS VERSION TODO DESCRIPTION NAMESPACE COPYRIGHT Kconfig Kbuild SConstruct SConscript configure gradlew
			mvnw`,
		fileEnding: `go templ tmpl c h cc cpp cxx hh hpp hxx mm rs zig nim swift kt kts java scala groovy gradle
			clj cljs cljc edn cs csproj sln fs fsx vb py pyi pyx ipynb rb erb rake gemspec php phtml twig pl pm lua jl
			r rmd hs lhs cabal ml mli elm ex exs eex heex erl hrl dart f90 f95 pas adb asm sv vhd vhdl sol js jsx mjs
			cjs ts tsx mts cts vue svelte astro html htm xhtml xml xsl xsd svg css scss sass less styl hbs ejs pug njk
			liquid json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf plist csv tsv sql prisma graphql gql proto
			thrift avsc tf tfvars hcl nix bzl bazel cmake mk dockerfile sh bash zsh fish ps1 psm1 bat awk vim lisp scm
			rkt md mdx markdown rst adoc tex bib txt qml xaml razor cshtml gd glsl wgsl hlsl metal cu cuh ipp`,
		product: `node.js next.js vue.js react.js nuxt.js express.js three.js d3.js angular.js ember.js
			backbone.js chart.js discord.js alpine.js nest.js moment.js socket.js require.js`,
		introducing: `file files filename filepath file_path path name new modified updated changed edited
			existing created step part test tests line lines`,
		verbal: `in into inside within to for of at and then now next also first second third last lastly finally
			again back still similarly likewise same here s are is a the this these following change changes edit
			edits editing update updates updating modify modifying modification modifications add adding create
			creating make apply replace insert open fix top bottom end beginning start let us i ll we need will code`,
	})
}}

func is(word string, n nature) bool { return natures.Get()[word] == n }

// IsPath reports whether s may be a path. With spaces in it, s must have a slash or a dot.
func IsPath(s string) bool {
	const longest = 4096 // bytes, the longest path of any system
	base := s[strings.LastIndexAny(s, "/\\")+1:]
	switch {
	case base == "" || len(s) > longest || s != strings.TrimSpace(s) || strings.ContainsAny(s, "<>|\"`*?\x00") ||
		strings.Contains(s, "://"):
		return false
	case strings.ContainsAny(s, " \t") && base == s && !strings.Contains(strings.Trim(s, "."), "."):
		return false
	}
	return strings.IndexByte(".,:;!", base[len(base)-1]) < 0
}

// hasFileLikeSuffix reports whether a word ends like a file, and unlike most members of a type: ".proto", not ".Start".
func hasFileLikeSuffix(s string) bool {
	ext := path.Ext(s)
	return len(ext) > 1 && len(ext) < 9 && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// isBareFile reports whether s, a line of one word without an extension, is a name that files have, unlike "Then".
func isBareFile(s string) bool {
	isLetter := len(s) == 1 // nobody says just that in prose
	return is(s, bareFile) || isLetter ||
		strings.HasSuffix(s, "file") && s[0] >= 'A' && s[0] <= 'Z' && s != "Profile" // "Snakefile"
}

// mentioned returns the file names among the words of a line.
func mentioned(s string) (all []string) {
	for _, w := range words(s) {
		if !w.spaced && !w.call && IsFileName(w.text) {
			all = append(all, w.text)
		}
	}
	return all
}

// A word is a word of a line, or a text between backticks.
type word struct {
	text   string
	spaced bool // a text between backticks that has spaces
	call   bool // a parenthesis follows
}

// words returns the words of a line, without the punctuation around them. A path between backticks is one word.
func words(s string) (all []word) {
	separates := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;=\"'<>)[]{}|*“”‘’—–", r)
	}
	parts := strings.Split(s, "`")
	for i, part := range parts {
		isCode := i%2 == 1 && i+1 < len(parts)
		switch {
		case isCode && strings.ContainsAny(part, " \t"):
			all = append(all, word{text: strings.TrimSpace(part), spaced: true})
		case isCode && IsFileName(part):
			all = append(all, word{text: part})
		default:
			for w := range strings.FieldsFuncSeq(strings.ReplaceAll(part, "(", "( "), separates) {
				w, call := strings.CutSuffix(w, "(")
				if w = withoutLineNumber(strings.TrimRight(w, ".:!?…")); w != "" {
					all = append(all, word{text: w, call: call})
				}
			}
		}
	}
	return all
}

// withoutLineNumber removes the line number after a file name: "b.go:12".
func withoutLineNumber(s string) string {
	if i := strings.Index(s, "."); i >= 0 {
		if j := strings.IndexAny(s[i:], ":#"); j >= 0 && strings.Trim(s[i+j:], "0123456789:#L-") == "" {
			return s[:i+j]
		}
	}
	return s
}
