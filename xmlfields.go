package atomicedit

import "github.com/atomicedit/atomicedit/internal/tagcall"

// tagKind returns what the text of a parameter is.
func tagKind(key string) tagcall.Kind {
	m := meanings()[key]
	if m == nil {
		return tagcall.Unknown
	}
	word := m.fields&(pathField|fromField|toField) != 0
	for _, k := range m.kinds {
		word = word || k.kind == 'n' || k.kind == 'f'
	}
	switch {
	case m.fields&contentField != 0, m.fields&(textField|newField) == textField:
		return tagcall.Lines
	case word:
		return tagcall.Word
	case m.fields&(oldField|newField) != 0:
		return tagcall.Piece
	}
	return tagcall.Text
}
