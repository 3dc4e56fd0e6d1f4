package atomicedit

// A Range is the piece of a text between two positions, as an editor or a language server names it. Nothing is searched: the
// piece between them is replaced whatever it is, and the new text goes in as it is, with the line endings of the text.
//
// A position counts the text as it is shown: decoded, without a byte order mark. A column after the end of its line means that
// end, before the line ending. The line after the last one means the end of the text; a line after that is refused, and so is a
// column within a character, or after bytes of an unknown encoding. Where a carriage return stands alone among lines that end in
// "\n", programs disagree about the number of the lines below it, so a range that reaches beyond it is [ErrAmbiguous].
//
// The zero value is refused, because lines are counted from 1.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`            // where Start is, to insert
	Unit  string   `json:"unit,omitempty"` // what columns count: "utf-16" (code units; "" means the same), "utf-8" (bytes) or "utf-32" (code points)
}

// A Position is a place between two characters of a text. The zero value is refused, because lines are counted from 1.
type Position struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // from 0, in the unit of the [Range]
}
