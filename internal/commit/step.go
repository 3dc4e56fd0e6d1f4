package commit

import (
	"path"
	"slices"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A step is an entry of the journal, and what the process that makes the commit knows besides. In a recovery the rest is zero.
type step struct {
	entry
	change Change
	as     disk.Meta // what the new file gets
	like   string    // the file whose attributes the new one takes; "" if none. What they were is in as
	linkOf string    // the file that is moved, if only its name changes
}

// A plan is what a commit is going to do.
type plan struct {
	steps  []step // in the order in which they are applied
	bare   bool   // only one file changes, in one go, so there is neither journal nor backup
	beside bool   // new files are staged beside their targets
	first  int    // the number of the first stage
}

// Work is a plan, and what may have been made for it.
type work struct {
	plan
	state   bool // the state directory
	journal bool
	unguard func() // gives back the guard of the state directory
	born    string // the field of a journal that tells the state directory from a copy
	verdict verdict
}

// journalOf returns the entries of steps.
func journalOf(steps []step) journal {
	j := make(journal, len(steps))
	for i, s := range steps {
		j[i] = s.entry
	}
	return j
}

// stepsOf returns the entries of a journal as steps.
func stepsOf(j journal) []step {
	steps := make([]step, len(j))
	for i, e := range j {
		steps[i].entry = e
	}
	return steps
}

// touched returns the directories in which steps change names.
func touched(steps []step) []string {
	var dirs []string
	for _, s := range steps {
		dirs = append(dirs, path.Dir(s.path))
		if s.kind == entryMkdir {
			dirs = append(dirs, s.path)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// forgetNew closes the handles of the directories that steps made, which are not locked: rolling back and sweeping need
// handles too.
func forgetNew(d disk.Disk, steps []step) {
	for _, s := range steps {
		if s.kind == entryMkdir {
			d.Forget(s.path)
		}
	}
}
