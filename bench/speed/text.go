// Package speed has the work that "go test -bench . ./speed" and the program table measure. Each kind of work has a
// floor, which is the part that no implementation can avoid, and peers, which are other packages that do the same with
// the same input.
package speed

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Texts has the kinds of text that are measured.
var Texts = []struct {
	Name string
	Make Text
}{{"generated", Generated}, {"sources of the Go tree", GoTree}}

// A Text makes a text of n lines. Texts of different seeds have nothing in common except for the lines that all such
// texts have.
type Text func(n, seed int) []byte

// Generated makes a text that looks like code, with 29 bytes per line and many repeated lines.
func Generated(n, seed int) []byte {
	var b bytes.Buffer
	for i := range n {
		switch i % 10 {
		case 0:
			fmt.Fprintf(&b, "func handle%d(writer ResponseWriter, request *Request) error {\n", i+seed)
		case 1, 4:
			fmt.Fprintf(&b, "\tvalue%d := compute(request, options, %d)\n", i+seed, i*7)
		case 2, 5:
			fmt.Fprintf(&b, "\tif value%d != nil {\n", i+seed-1)
		case 3, 6:
			b.WriteString("\t\treturn nil, errUnavailable\n")
		case 7:
			b.WriteString("\t}\n")
		case 8:
			b.WriteString("}\n")
		default:
			b.WriteString("\n")
		}
	}
	return b.Bytes()
}

// GoTree makes a text from the sources of the Go tree that runs this program, file after file, in a random order that
// is the same in every run. So small texts have the same mixture as large ones. It skips the few files of data, with
// lines of thousands of bytes, because one of them can outweigh 100,000 lines.
func GoTree(n, seed int) []byte {
	lines := goLines()
	from := seed % len(lines)
	var b bytes.Buffer
	for i := range n {
		b.WriteString(lines[(from+i)%len(lines)])
	}
	return b.Bytes()
}

// goSources returns the directory with the sources of the Go tree.
func goSources() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

var goLines = sync.OnceValue(func() []string {
	root := goSources()
	var files [][]byte
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && bytes.IndexByte(data, 0) < 0 && bytes.HasSuffix(data, []byte("\n")) && !hasLongLine(data) {
			files = append(files, data)
		}
		return err
	})
	rnd := rand.New(rand.NewPCG(1, 1))
	rnd.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	var lines []string
	for _, data := range files {
		lines = slices.AppendSeq(lines, strings.Lines(string(data)))
	}
	if err != nil || len(lines) < 1_000_000 {
		panic(fmt.Sprintf("the Go tree at %s has %d lines: %v", root, len(lines), err))
	}
	return lines
})

func hasLongLine(data []byte) bool {
	for line := range bytes.Lines(data) {
		if len(line) > 1000 {
			return true
		}
	}
	return false
}

// A source is a text and where its lines start.
type source struct {
	text   []byte
	starts []int
}

func newSource(text []byte) *source {
	s := &source{text: text, starts: []int{0}}
	for i, c := range text {
		if c == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	return s
}

// lines returns n lines from line first (0-based) on.
func (s *source) lines(first, n int) string {
	return string(s.text[s.starts[first]:s.starts[first+n]])
}

// unique returns the number of the first line, from first on, that begins a piece of n lines which occurs only once,
// and which good accepts.
func (s *source) unique(first, n int, good func(piece string) bool) int {
	for ; ; first++ {
		piece := s.lines(first, n)
		if !good(piece) {
			continue
		}
		at := bytes.Index(s.text, []byte(piece))
		if at == s.starts[first] && !bytes.Contains(s.text[at+1:], []byte(piece)) {
			return first
		}
	}
}
