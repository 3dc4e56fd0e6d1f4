package filehint

import (
	"iter"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
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
	if isKnownFile(base) {
		return true
	}
	ext := path.Ext(base)
	switch {
	case len(ext) < 2 || ext == base || strings.ContainsAny(base, "(){}=,;"):
		return false
	case len(base) < len(s) && hasFileLikeSuffix(base) && strings.Trim(ext, ".v0123456789") != "":
		return true
	}
	return isFileEnding(ext[1:]) && (len(base) < len(s) || !isProduct(base))
}

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

// hasFileLikeSuffix reports whether a word ends in something like a file extension, which members of a type seldom do:
// ".proto", not ".Start".
func hasFileLikeSuffix(s string) bool {
	ext := path.Ext(s)
	return len(ext) > 1 && len(ext) < 9 && !strings.ContainsFunc(ext[1:], func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
}

// isKnownFile reports whether base is a well-known file name without an extension, or with one that alone proves
// little.
func isKnownFile(base string) bool {
	switch base {
	case "Makefile", "makefile", "GNUmakefile", "Dockerfile", "Containerfile", "Jenkinsfile", "Gemfile", "Rakefile",
		"Procfile", "Vagrantfile", "Justfile", "justfile", "Pipfile", "Podfile", "Brewfile", "Caddyfile", "Tiltfile",
		"Earthfile", "CODEOWNERS", "LICENSE", "README", "CHANGELOG", "go.mod", "go.sum", "go.work", "Cargo.lock",
		"yarn.lock", "poetry.lock", "Gemfile.lock", ".env", ".gitignore", ".gitattributes", ".gitmodules",
		".dockerignore", ".npmrc", ".nvmrc", ".editorconfig", ".eslintrc", ".prettierrc", ".babelrc", ".bashrc",
		".zshrc", ".profile", ".vimrc", ".htaccess":
		return true
	}
	return false
}

// isBareFile reports whether s, a word without an extension on a line of its own, is a name that files have. Other words,
// such as "Then", are prose.
func isBareFile(s string) bool {
	switch s {
	case "BUILD", "WORKSPACE", "COPYING", "NOTICE", "AUTHORS", "CONTRIBUTORS", "CONTRIBUTING", "MAINTAINERS", "OWNERS",
		"INSTALL", "NEWS", "VERSION", "TODO", "Kconfig", "Kbuild", "SConstruct", "SConscript", "configure", "gradlew", "mvnw":
		return true
	}
	isLetter := len(s) == 1                                                                         // nobody says just that in prose
	return isLetter || strings.HasSuffix(s, "file") && s[0] >= 'A' && s[0] <= 'Z' && s != "Profile" // "Snakefile"
}

// isProduct reports whether base is the name of a product that looks like a file name.
func isProduct(base string) bool {
	switch strings.ToLower(base) {
	case "node.js", "next.js", "vue.js", "react.js", "nuxt.js", "express.js", "three.js", "d3.js", "angular.js",
		"ember.js", "backbone.js", "chart.js", "discord.js", "alpine.js", "nest.js", "moment.js", "socket.js",
		"require.js":
		return true
	}
	return false
}

// isFileEnding reports whether ext is a common extension of text files that is seldom the name of a field or a method.
func isFileEnding(ext string) bool {
	switch strings.ToLower(ext) {
	case "go", "templ", "tmpl", "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "mm", "rs", "zig", "nim", "swift",
		"kt", "kts", "java", "scala", "groovy", "gradle", "clj", "cljs", "cljc", "edn", "cs", "csproj", "sln", "fs",
		"fsx", "vb", "py", "pyi", "pyx", "ipynb", "rb", "erb", "rake", "gemspec", "php", "phtml", "twig", "pl", "pm",
		"lua", "jl", "r", "rmd", "hs", "lhs", "cabal", "ml", "mli", "elm", "ex", "exs", "eex", "heex", "erl", "hrl",
		"dart", "f90", "f95", "pas", "adb", "asm", "sv", "vhd", "vhdl", "sol", "js", "jsx", "mjs", "cjs", "ts", "tsx",
		"mts", "cts", "vue", "svelte", "astro", "html", "htm", "xhtml", "xml", "xsl", "xsd", "svg", "css", "scss",
		"sass", "less", "styl", "hbs", "ejs", "pug", "njk", "liquid", "json", "jsonc", "json5", "jsonl", "ndjson",
		"yaml", "yml", "toml", "ini", "cfg", "conf", "plist", "csv", "tsv", "sql", "prisma", "graphql", "gql", "proto",
		"thrift", "avsc", "tf", "tfvars", "hcl", "nix", "bzl", "bazel", "cmake", "mk", "dockerfile", "sh", "bash",
		"zsh", "fish", "ps1", "psm1", "bat", "awk", "vim", "lisp", "scm", "rkt", "md", "mdx", "markdown", "rst", "adoc",
		"tex", "bib", "txt", "qml", "xaml", "razor", "cshtml", "gd", "glsl", "wgsl", "hlsl", "metal", "cu", "cuh",
		"ipp":
		return true
	}
	return false
}

// mentioned yields the file names among the words of a line.
func mentioned(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for w := range words(s) {
			if !w.spaced && !w.call && IsFileName(w.text) && !yield(w.text) {
				return
			}
		}
	}
}

// A word is a word of a line, or a text between backticks.
type word struct {
	text   string
	spaced bool // a text between backticks that has spaces
	call   bool // a parenthesis follows
}

// words yields the words of a line, without the punctuation around them. A path between backticks is one word.
func words(s string) iter.Seq[word] {
	return func(yield func(word) bool) {
		for s != "" {
			plain, rest, marked := strings.Cut(s, "`")
			if !plainWords(plain, yield) {
				return
			}
			code, after, closed := strings.Cut(rest, "`")
			switch {
			case !marked:
				return
			case !closed:
				s = rest
				continue
			case strings.ContainsAny(code, " \t"):
				if !yield(word{text: strings.TrimSpace(code), spaced: true}) {
					return
				}
			case IsFileName(code):
				if !yield(word{text: code}) {
					return
				}
			case !plainWords(code, yield):
				return
			}
			s = after
		}
	}
}

// plainWords yields the words of a text without backticks. It returns false as soon as yield does.
func plainWords(s string, yield func(word) bool) bool {
	separates := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;=\"'<>()[]{}|*“”‘’—–", r)
	}
	for s != "" {
		n := strings.IndexFunc(s, separates)
		if n < 0 {
			n = len(s)
		}
		w := withoutLineNumber(strings.TrimRight(s[:n], ".:!?…"))
		if w != "" && !yield(word{text: w, call: strings.HasPrefix(s[n:], "(")}) {
			return false
		}
		_, size := utf8.DecodeRuneInString(s[n:])
		s = s[n+size:]
	}
	return true
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
