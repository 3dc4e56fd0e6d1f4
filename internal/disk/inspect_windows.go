package disk

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
	if more, err := in.details(base); err == nil { // otherwise the file cannot be read, and the commit fails anyway
		t.Links = int(more.NumberOfLinks)
		t.Born = int64(more.FileIndexHigh)<<32 | int64(more.FileIndexLow) // unlike a time, it cannot be set
	}
	return t, nil
}
