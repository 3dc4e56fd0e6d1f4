package atomicedit

import (
	"slices"

	"github.com/atomicedit/atomicedit/internal/tagcall"
)

// tagKind returns what the text of a parameter is.
func tagKind(key string) tagcall.Kind {
	m := meanings[key]
	switch {
	case m == nil:
		return tagcall.Unknown
	case slices.Contains(m.fields, contentField) || slices.Contains(m.fields, textField) && !slices.Contains(m.fields, newField):
		return tagcall.Lines
	case slices.ContainsFunc(m.fields, func(f field) bool {
		return f == pathField || f == fromField || f == toField || fieldTable[f].kind == 'n' || fieldTable[f].kind == 'f'
	}):
		return tagcall.Word
	case slices.Contains(m.fields, oldField) || slices.Contains(m.fields, newField):
		return tagcall.Piece
	}
	return tagcall.Text
}
