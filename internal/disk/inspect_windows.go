package disk

import "io/fs"

func (d *realDisk) Inspect(name string) (Traits, error) {
	in, base, err := d.in(name)
	if err != nil {
		return Traits{}, err
	}
	is, err := in.lstat(base)
	if err != nil {
		return Traits{}, err
	}
	t := Traits{Stat: is, Writable: is.Mode&0o200 != 0, Replaceable: true}
	if !is.Mode.IsRegular() && !is.Mode.IsDir() {
		return t, nil
	}
	if more, err := in.details(base); err == nil { // otherwise nobody can read it, and a commit refuses it
		t.Links = int(more.NumberOfLinks)
		t.Born = int64(more.FileIndexHigh)<<32 | int64(more.FileIndexLow) // unlike a time, nobody can set it
	}
	return t, nil
}

// Private reports true: access lists, which a directory gets from the one above it, say who may enter.
func Private(fs.FileMode) bool { return true }
