package text

import "slices"

// Recode returns the splices that turn the file src, which is in e and has the text old, into one with the text new.
// Matches lead from old to new. Bytes that both have in common at the edges of a match stay as src has them. If e lacks
// a character, Recode returns that character and the edit that wrote it. If the bytes of src are its text, Recode only
// looks for such characters.
func (e Encoding) Recode(src, old, new []byte, matches []Match) (splices []Splice, lacks string, edit int) {
	var offset func(int) int
	if !e.IsPlain() {
		offset = e.Offsets(src)
	}
	for _, m := range matches {
		was, is := old[m.Old.Start:m.Old.End], new[m.New.Start:m.New.End]
		head, tail := CommonEnds(was, is)
		encoded, lacks := e.Encode(src, is[head:len(is)-tail])
		if lacks != "" {
			return nil, lacks, m.Edit
		}
		if offset != nil {
			start, from, to, end := offset(m.Old.Start), offset(m.Old.Start+head), offset(m.Old.End-tail),
				offset(m.Old.End)
			splices = append(splices, Splice{start, end, string(slices.Concat(src[start:from], encoded, src[to:end])),
				m.Origin})
		}
	}
	return splices, "", 0
}
