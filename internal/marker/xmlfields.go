package marker

import (
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/tagcall"
)

// TagKind returns what the text of a parameter is.
func TagKind(key string) tagcall.Kind {
	m := field.Meanings()[key]
	if m == nil {
		return tagcall.Unknown
	}
	word := m.Fields&(field.PathField|field.FromField|field.ToField) != 0
	for _, k := range m.Kinds {
		word = word || k.Kind == 'n' || k.Kind == 'f'
	}
	switch {
	case m.Fields&field.ContentField != 0, m.Fields&(field.TextField|field.NewField) == field.TextField:
		return tagcall.Lines
	case word:
		return tagcall.Word
	case m.Fields&(field.OldField|field.NewField) != 0:
		return tagcall.Piece
	}
	return tagcall.Text
}
