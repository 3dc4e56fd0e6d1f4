package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A printer writes text that came from a request or from files. What a person looks at has its control characters
// escaped, so that it cannot move the cursor or turn the direction of the text; what a program reads stays as it is.
type printer struct {
	w              io.Writer
	colour, escape bool
}

// newPrinter returns a printer for w; color is "auto", "always" or "never".
func newPrinter(w io.Writer, color string) printer {
	terminal := isTerminal(w)
	colour := isColoured(color, terminal)
	return printer{w, colour, colour || terminal}
}

// isColoured reports whether a diff is to be coloured.
func isColoured(color string, terminal bool) bool {
	return color == "always" ||
		color == "auto" && terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// isTerminal reports whether v is a file that is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	if runtime.GOOS == "windows" { // where all character devices are the same file
		return true
	}
	null, err := os.Stat(os.DevNull) // the other character device that programs are given
	return err != nil || !os.SameFile(info, null)
}

func (p printer) print(text string) error {
	if p.escape {
		text = escape(text)
	}
	_, err := io.WriteString(p.w, text)
	return err
}

// diff writes a unified diff, each line in the colour of what it is.
func (p printer) diff(diff string) error {
	if !p.colour {
		return p.print(diff)
	}
	const bold, red, green, cyan, reset = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[m"
	hunk := false // else a header, in which "---" and "+++" are no changes
	var b strings.Builder
	for line := range strings.Lines(diff) {
		line = escape(strings.TrimSuffix(line, "\n"))
		on := ""
		switch {
		case strings.HasPrefix(line, "diff --git "):
			hunk, on = false, bold
		case strings.HasPrefix(line, "@@"):
			hunk, on = true, cyan
		case !hunk:
			on = bold
		case strings.HasPrefix(line, "+"):
			on = green
		case strings.HasPrefix(line, "-"):
			on = red
		}
		if on == "" {
			b.WriteString(line + "\n")
		} else {
			b.WriteString(on + line + reset + "\n")
		}
	}
	_, err := io.WriteString(p.w, b.String())
	return err
}

// escape writes characters that do not print, except newlines and tabs, as Go would in a string: \r, \x1b, \u202e.
func escape(text string) string {
	var b strings.Builder
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0x20 && r != '\n' && r != '\t' && r != '\r', r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\r':
			b.WriteString(`\r`)
		case r > 0xffff && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case r != '\n' && r != '\t' && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[i : i+size])
		}
	}
	return b.String()
}
