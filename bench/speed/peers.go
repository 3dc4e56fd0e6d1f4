package speed

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"github.com/hexops/gotextdiff"
	"github.com/hexops/gotextdiff/myers"
	"github.com/hexops/gotextdiff/span"
	"github.com/pmezard/go-difflib/difflib"

	"github.com/atomicedit/atomicedit"
)

// exactPeers apply the same edit as a patch with line numbers.
func exactPeers(text []byte, expect string) []Peer {
	patch := atomicedit.Diff("a/x", text, "b/x", []byte(expect))
	git := func(in Input) string {
		files, _, err := gitdiff.Parse(strings.NewReader("diff --git a/x b/x\n" + patch))
		var out bytes.Buffer
		if err == nil {
			err = gitdiff.Apply(&out, bytes.NewReader(in.Old), files[0])
		}
		if err != nil {
			panic(err)
		}
		return out.String()
	}
	if git(Input{Old: text}) != expect {
		panic("a peer does something else")
	}
	return []Peer{{"go-gitdiff", func(in Input) { git(in) }}}
}

func diffPeers(in Input) []Peer {
	peers := []Peer{
		{"go-difflib", func(in Input) {
			old, new := in.strings()
			difflib.WriteUnifiedDiff(io.Discard, difflib.UnifiedDiff{
				A: difflib.SplitLines(old), FromFile: "x", B: difflib.SplitLines(new), ToFile: "x", Context: 3,
			})
		}},
		{"go-udiff", func(in Input) {
			old, new := in.strings()
			_ = udiff.Unified("x", "x", old, new)
		}},
	}
	// Its memory grows with the square of the number of different lines.
	if in.size() < 100_000 || bytes.Contains(in.New, in.Old) || bytes.HasPrefix(in.New, in.Old[:in.size()/8]) {
		peers = append(peers, Peer{"gotextdiff", func(in Input) {
			old, new := in.strings()
			edits := myers.ComputeEdits(span.URIFromPath("x"), old, new)
			_ = fmt.Sprint(gotextdiff.ToUnified("x", "x", old, edits))
		}})
	}
	return peers
}

func parsePeers(patch string) []Peer {
	if _, _, err := gitdiff.Parse(strings.NewReader(patch)); err != nil {
		panic(err)
	}
	return []Peer{{"go-gitdiff", func(in Input) { gitdiff.Parse(bytes.NewReader(in.Old)) }}}
}
