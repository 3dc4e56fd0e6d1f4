package atomicedit_test

import "github.com/atomicedit/atomicedit"

// lines is an edit of whole lines.
func lines(old, new string) atomicedit.Edit {
	return atomicedit.Edit{Old: old, New: new, WholeLines: true}
}

// everywhere is an edit of all places of whole lines.
func everywhere(old, new string) atomicedit.Edit {
	return atomicedit.Edit{Old: old, New: new, Count: atomicedit.All, WholeLines: true}
}

// edits is an edit of strings: pairs of old and new text.
func edits(path string, pairs ...string) atomicedit.Op {
	op := atomicedit.Op{Kind: atomicedit.OpEdit, Path: path}
	for i := 0; i < len(pairs); i += 2 {
		op.Edits = append(op.Edits, atomicedit.Edit{Old: pairs[i], New: pairs[i+1]})
	}
	return op
}

// edit is an op of any edits of one file.
func edit(path string, edits ...atomicedit.Edit) atomicedit.Op {
	return atomicedit.Op{Path: path, Edits: edits}
}

// create makes a file.
func create(path, text string) atomicedit.Op {
	return atomicedit.Op{Kind: atomicedit.OpCreate, Path: path, Content: text}
}

// move moves a file, and edits strings in it.
func move(from, to string, pairs ...string) atomicedit.Op {
	op := edits(from, pairs...)
	op.Kind, op.To = atomicedit.OpMove, to
	return op
}

// remove deletes a file.
func remove(path string) atomicedit.Op { return atomicedit.Op{Kind: atomicedit.OpDelete, Path: path} }

// over lets an op replace a file that is there.
func over(op atomicedit.Op) atomicedit.Op {
	op.Overwrite = true
	return op
}

// oneEdit is a plan of edits of one file.
func oneEdit(path string, edits ...atomicedit.Edit) atomicedit.Plan {
	return atomicedit.Plan{Ops: []atomicedit.Op{{Path: path, Edits: edits}}}
}
