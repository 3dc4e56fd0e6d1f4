// Package filehint finds the file that the text above a block names: a title, a line of prose, or the opening of the
// code fence around the block. A block is a SEARCH/REPLACE block or a hunk of a diff. docs/PLACING.md has the rules as B1 to
// B3.
package filehint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A Conflict is the error for a block that may belong to either of two files.
type Conflict struct {
	Hint         // the file that a line above the block names
	Other string // the file that the block would go to without the hint
}

func (c *Conflict) Error() string {
	return fmt.Sprintf("line %d names %q, but the block below it would go to %q", c.Line, c.Path, c.Other)
}

// Lines returns the remaining lines of in that are not blank. If afterBlock is set, they begin right below another
// block, so a bare fence on the first line closes the fence around that block.
func Lines(in text.Scanner, afterBlock bool) []Line {
	var lines []Line
	fence := -1 // the index of the open fence
	for first := afterBlock; in.Scan(); first = false {
		switch s := strings.TrimSpace(in.Line); {
		case s == "":
			continue
		case !text.IsFence(s):
			lines = append(lines, Line{Text: s, No: in.No})
		case strings.Trim(s, s[:1]) != "": // a fence with an info string opens
			fence = len(lines)
			lines = append(lines, Line{Text: strings.TrimSpace(strings.TrimLeft(s, s[:1])), No: in.No, Fence: true})
		case fence >= 0:
			code := len(lines) > fence+2 || slices.Contains(shells, strings.ToLower(lines[fence].Text))
			for i := fence + 1; i < len(lines); i++ {
				lines[i].code = code
			}
			fence = -1
		case !first:
			fence = len(lines)
			lines = append(lines, Line{No: in.No, Fence: true})
		}
	}
	if fence >= 0 {
		lines[fence].encloses = true
	}
	return lines
}

// shells are the languages of shell commands, which may look like paths.
var shells = []string{"sh", "bash", "zsh", "fish", "shell", "console", "terminal", "powershell", "cmd"}

// File returns the hint that names the file of the block below the lines. Known is the file of the previous block, ""
// if it has none. A Hint without a path means that the block is for the known file. The error is a Conflict.
func File(lines []Line, known string) (Hint, error) {
	hint, err := adjacent(lines)
	if hint.Path == "" && err == nil {
		return furtherUp(lines, known)
	}
	return hint, err
}

// adjacent reads the lines next to the block: the line right above it, the fence around it, and the line right above
// the fence.
func adjacent(lines []Line) (Hint, error) {
	var best Hint
	fence := slices.IndexFunc(lines, func(l Line) bool { return l.encloses })
	for _, i := range []int{len(lines) - 1, fence, fence - 1} {
		if i < 0 || lines[i].code || lines[i].Fence && i != fence {
			continue
		}
		h := lines[i].Hint()
		if h.Certainty == Label && i > 0 && lines[i-1].No == h.Line-1 && !lines[i-1].Fence {
			if above := lines[i-1].Hint(); above.Certainty == Label && !SameFile(above.Path, h.Path) {
				continue // a list of files
			}
		}
		switch {
		case h.Certainty == Mention || best.Path != "" && h.Certainty == Word:
		case best.Certainty <= Word || isTail(best.Path, h.Path):
			best = h
		case !isTail(h.Path, best.Path):
			return Hint{}, &Conflict{h, best.Path}
		}
	}
	return best, nil
}

// furtherUp reads all lines, from the block upwards. The nearest title decides, whatever is mentioned below it. Without
// a title, a label decides if no other file is mentioned. Otherwise the known file decides, if there is one and no
// other file is mentioned.
func furtherUp(lines []Line, known string) (Hint, error) {
	var label Hint
	var mentions []Hint // the nearest first
	for _, l := range slices.Backward(lines) {
		if l.code {
			continue
		}
		h := l.Hint()
		if l.Fence {
			h.Certainty = Mention
		}
		switch {
		case h.Certainty == Title && (label.Path == "" || SameFile(h.Path, label.Path)):
			return h, nil
		case h.Certainty == Title:
			return Hint{}, &Conflict{label, h.Path}
		case h.Certainty == Label:
			if label.Path == "" {
				label = h
			}
			mentions = append(mentions, h)
		case l.Fence && h.Path != "":
			mentions = append(mentions, h)
		case label.Path == "":
			for name := range mentioned(l.Text) {
				mentions = append(mentions, Hint{Path: name, Line: l.No})
			}
		}
	}
	other := func(than string) int {
		return slices.IndexFunc(mentions, func(h Hint) bool { return !SameFile(h.Path, than) })
	}
	if label.Path != "" && other(label.Path) < 0 {
		return label, nil
	}
	if i := other(known); i >= 0 && known != "" {
		return Hint{}, &Conflict{mentions[i], known}
	}
	return Hint{}, nil
}
