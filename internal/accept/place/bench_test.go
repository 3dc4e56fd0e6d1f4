package place_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

var sizes = []int{10_000, 100_000, 1_000_000}

// benchmarkApply measures requests that a function makes for a text of n lines.
func benchmarkApply(b *testing.B, request func(text []byte, n int) []atomicedit.Edit) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("lines=%d", n), func(b *testing.B) {
			text := program(n)
			edits := request(text, n)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				atomicedit.Apply(text, edits, nil)
			}
		})
	}
}

func BenchmarkApplyExact(b *testing.B) {
	benchmarkApply(b, func(text []byte, n int) []atomicedit.Edit {
		old := piece(text, n/2, 9)
		return []atomicedit.Edit{accepttest.Lines(old, strings.Replace(old, "compute", "calculate", 1))}
	})
}

// BenchmarkFloorExact is what an exact edit cannot do without: two searches, a count of the lines, and a copy.
func BenchmarkFloorExact(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("lines=%d", n), func(b *testing.B) {
			text := program(n)
			old := []byte(piece(text, n/2, 9))[:60]
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				at := bytes.Index(text, old)
				again := bytes.Index(text[at+1:], old)
				_ = again + bytes.Count(text, []byte("\n")) + bytes.Index(text[at+1:], old) + bytes.Index(text[:at],
					old)
				_ = append([]byte(nil), text...)
			}
		})
	}
}

func BenchmarkApplyDedented(b *testing.B) {
	benchmarkApply(b, func(text []byte, n int) []atomicedit.Edit {
		old := dedent(piece(text, n/2+1, 6))
		return []atomicedit.Edit{accepttest.Lines(old, strings.Replace(old, "compute", "calculate", 1))}
	})
}

func BenchmarkApplyHopeless(b *testing.B) {
	benchmarkApply(b, func(text []byte, n int) []atomicedit.Edit {
		old := strings.ReplaceAll(piece(text, n/2, 30), "value", "valve")
		return []atomicedit.Edit{accepttest.Lines(old, strings.Replace(old, "compute", "calculate", 1))}
	})
}

func BenchmarkApplyNothingAlike(b *testing.B) {
	benchmarkApply(b, func(text []byte, n int) []atomicedit.Edit {
		var old strings.Builder
		for i := range 30 {
			fmt.Fprintf(&old, "this line %d is of another file altogether\n", i)
		}
		return []atomicedit.Edit{accepttest.Lines(old.String(), "x\n")}
	})
}

func BenchmarkApplyMany(b *testing.B) {
	benchmarkApply(b, func(text []byte, n int) []atomicedit.Edit {
		var edits []atomicedit.Edit
		split := strings.SplitAfter(string(text), "\n")
		for i := 0; i < 200; i++ {
			at := i * (n / 200) / 10 * 10
			old := strings.Join(split[at:at+3], "")
			edits = append(edits, accepttest.Lines(old, strings.Replace(old, "compute", "calculate", 1)))
		}
		return edits
	})
}

func BenchmarkApplyManyDedented(b *testing.B) {
	benchmarkApply(b, func(text []byte, n int) []atomicedit.Edit {
		var edits []atomicedit.Edit
		split := strings.SplitAfter(string(text), "\n")
		for i := 0; i < 200; i++ {
			at := i * (n / 200) / 10 * 10
			old := "\t" + strings.Join(split[at:at+3], "\t")
			edits = append(edits, accepttest.Lines(old, strings.Replace(old, "compute", "calculate", 1)))
		}
		return edits
	})
}

// BenchmarkApplyManyAnchored has edits that stand everywhere, each below an anchor of its own.
func BenchmarkApplyManyAnchored(b *testing.B) {
	benchmarkApply(b, func(text []byte, n int) []atomicedit.Edit {
		var edits []atomicedit.Edit
		split := strings.SplitAfter(string(text), "\n")
		for i := range 200 {
			at := i * (n / 200) / 10 * 10
			e := accepttest.Lines(strings.Join(split[at+3:at+5], ""), "\t\treturn nil\n"+split[at+4])
			e.Anchors = []string{strings.TrimSpace(split[at])}
			edits = append(edits, e)
		}
		return edits
	})
}

// BenchmarkApplyManyHopeless has edits that fit nowhere.
func BenchmarkApplyManyHopeless(b *testing.B) {
	benchmarkApply(b, func(text []byte, n int) []atomicedit.Edit {
		var edits []atomicedit.Edit
		split := strings.SplitAfter(string(text), "\n")
		for i := range 200 {
			at := i * (n / 200) / 10 * 10
			edits = append(edits, accepttest.Lines(strings.ReplaceAll(strings.Join(split[at:at+5], ""), "e", "q"),
				"x\n"))
		}
		return edits
	})
}

func BenchmarkApplySubstrings(b *testing.B) {
	benchmarkApply(b, func(text []byte, n int) []atomicedit.Edit {
		var edits []atomicedit.Edit
		for i := 0; i < 100; i++ {
			at := i*(n/100)/10*10 + 1
			edits = append(edits, atomicedit.Edit{Old: fmt.Sprintf("value%d := compute", at),
				New: fmt.Sprintf("value%d := calculate", at)})
		}
		return edits
	})
}

func BenchmarkApplyEqualLines(b *testing.B) {
	for _, n := range []int{2_000, 20_000, 200_000} {
		b.Run(fmt.Sprintf("lines=%d", n), func(b *testing.B) {
			text := []byte(strings.Repeat("the same line\n", n))
			edits := make([]atomicedit.Edit, 40)
			for i := range edits {
				edits[i] = accepttest.Lines(strings.Repeat("the same line\n", 10),
					strings.Repeat("the same line\n", 9)+"another\n")
			}
			b.ReportAllocs()
			for b.Loop() {
				atomicedit.Apply(text, edits, nil)
			}
		})
	}
}

func BenchmarkApplyLongLine(b *testing.B) {
	for _, n := range []int{200_000, 2_000_000, 20_000_000} {
		b.Run(fmt.Sprintf("bytes=%d", n), func(b *testing.B) {
			text := []byte(strings.Repeat("var a=1;", n/8))
			copy(text[n/2:], "needle()")
			for name, edits := range map[string][]atomicedit.Edit{
				"exact":    {{Old: "needle()", New: "pin()"}},
				"hopeless": {{Old: "no such thing\nhere", New: "x"}},
			} {
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						atomicedit.Apply(text, edits, nil)
					}
				})
			}
		})
	}
}

// BenchmarkCommit replaces files of 8 KB in a directory, all in one commit.
func BenchmarkCommit(b *testing.B) {
	for _, files := range []int{1, 50} {
		for name, durability := range map[string]atomicedit.Durability{"none": atomicedit.DurableNone,
			"file": atomicedit.DurableFile, "full": atomicedit.DurableFull} {
			b.Run(fmt.Sprintf("files=%d/durable=%s", files, name), func(b *testing.B) {
				dir, err := atomicedit.OpenDir(b.TempDir(), &atomicedit.DirOptions{Durability: durability})
				if err != nil {
					b.Fatal(err)
				}
				defer dir.Close()
				a, z := bytes.Repeat([]byte("old line\n"), 8<<10/9), bytes.Repeat([]byte("new line\n"), 8<<10/9)
				var create, forth []atomicedit.Change
				for i := range files {
					path := fmt.Sprintf("%d.txt", i)
					create = append(create, atomicedit.Change{Path: path, After: &atomicedit.File{Data: a}})
					forth = append(forth, atomicedit.Change{Path: path, Before: &atomicedit.File{Data: a},
						After: &atomicedit.File{Data: z}})
				}
				back := atomicedit.Invert(forth)
				if err := dir.Commit(b.Context(), create); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if err := dir.Commit(b.Context(), forth); err != nil {
						b.Fatal(err)
					}
					forth, back = back, forth
				}
			})
		}
	}
}

func BenchmarkParseUnified(b *testing.B) {
	benchmarkParse(b, patchOf, atomicedit.ParseUnified)
}

func BenchmarkParseV4A(b *testing.B) {
	benchmarkParse(b, func(n int) string {
		body := strings.ReplaceAll("\n"+string(program(n)), "\n", "\n ")
		body = strings.ReplaceAll(body, "\n }\n", "\n-}\n+} // end\n")
		return "*** Begin Patch\n*** Update File: x\n@@" + strings.TrimSuffix(body, " ") + "*** End Patch\n"
	}, atomicedit.ParseV4A)
}

func BenchmarkParseBlocks(b *testing.B) {
	benchmarkParse(b, func(n int) string {
		var s strings.Builder
		s.WriteString("x\n")
		for at := range n / 10 {
			old := piece(program(10), 0, 10)
			fmt.Fprintf(&s, "<<<<<<< SEARCH\n%s=======\n%s%d\n>>>>>>> REPLACE\n", old, old, at)
		}
		return s.String()
	}, atomicedit.ParseBlocks)
}

func BenchmarkParseHashline(b *testing.B) {
	benchmarkParse(b, func(n int) string {
		var s strings.Builder
		s.WriteString("[x]\n")
		for at := range n / 10 {
			fmt.Fprintf(&s, "PUT %d-%d:\n+%s\n", 10*at+1, 10*at+10,
				strings.TrimSuffix(strings.ReplaceAll(piece(program(10), 0, 10), "\n", "\n+"), "\n+"))
		}
		return s.String()
	}, atomicedit.Parse)
}

func BenchmarkParseXML(b *testing.B) {
	for name, call := range map[string]string{
		"blocks":  "<replace_in_file>\n<path>x</path>\n<diff>\n<<<<<<< SEARCH\n%s=======\n%s%d\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>\n",
		"strings": "<invoke name=\"Edit\">\n<parameter name=\"path\">x</parameter>\n<parameter name=\"old_string\">%s</parameter>\n<parameter name=\"new_string\">%s%d</parameter>\n</invoke>\n",
	} {
		b.Run(name, func(b *testing.B) {
			benchmarkParse(b, func(n int) string {
				var s strings.Builder
				for at := range n / 100 {
					old := piece(program(100), 0, 100)
					fmt.Fprintf(&s, call, old, old, at)
				}
				return s.String()
			}, atomicedit.Parse)
		})
	}
}

func BenchmarkParseJSON(b *testing.B) {
	benchmarkParse(b, func(n int) string {
		var s strings.Builder
		for at := range n / 10 {
			fmt.Fprintf(&s, `,{"old_string":%q,"new_string":"line %d"}`, piece(program(10), 0, 10), at)
		}
		return `{"file_path":"x","edits":[` + s.String()[1:] + "]}"
	}, func(s string) (atomicedit.Plan, error) { return atomicedit.ParseJSON([]byte(s)) })
}

// benchmarkParse measures requests of about n lines.
func benchmarkParse(b *testing.B, request func(n int) string, parse func(string) (atomicedit.Plan, error)) {
	for _, n := range sizes[:2] {
		b.Run(fmt.Sprintf("lines=%d", n), func(b *testing.B) {
			s := request(n)
			if _, err := parse(s); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				parse(s)
			}
		})
	}
}
