package main

import (
	"hash/crc32"
	"strings"
)

// endings says how lines end.
type endings struct {
	crlf, mixed bool // the file
	requestCRLF bool
	unfinished  bool // the last line of the file has no ending
}

// of returns the ending of a line of the file. Mixed endings depend on the line, so that the same line has the same one
// in both texts.
func (e endings) of(line string) string {
	if e.crlf || e.mixed && crc32.ChecksumIEEE([]byte(line))%3 == 0 {
		return "\r\n"
	}
	return "\n"
}

func (e endings) file(lines []string) string {
	var b strings.Builder
	for i, l := range lines {
		b.WriteString(l)
		if i+1 < len(lines) || !e.unfinished {
			b.WriteString(e.of(l))
		}
	}
	return b.String()
}

func (e endings) request(lines []string) string {
	ending := "\n"
	if e.requestCRLF {
		ending = "\r\n"
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l + ending)
	}
	return b.String()
}
