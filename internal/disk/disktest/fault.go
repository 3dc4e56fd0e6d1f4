package disktest

import (
	"errors"
	"io/fs"
	"math"
	"sync"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A Fault makes one operation of another disk fail, and perhaps all operations after it. Operations are counted from 0.
type Fault struct {
	disk.Disk
	then func() // for Call

	mu      sync.Mutex
	at      int
	flavour Flavour
	count   int
}

// A Flavour is a way to fail.
type Flavour int

const (
	FailUndone Flavour = iota // the operation fails without doing anything
	FailDone                  // it fails, although it was done
	FailHalf                  // it fails after writing half of the data
	DieBefore                 // the process is killed before the operation: from there on, everything fails
	DieAfter
	DieHalf
	Call // the operation succeeds, but a function is called before it
)

// Flavours has all flavours that fail.
var Flavours = []Flavour{FailUndone, FailDone, FailHalf, DieBefore, DieAfter, DieHalf}

func (f Flavour) String() string {
	return [...]string{"fails", "fails though done", "half written", "killed before", "killed after", "killed amid",
		"calls"}[f]
}

// Dies reports whether f kills the process.
func (f Flavour) Dies() bool { return f >= DieBefore && f <= DieHalf }

// ErrFault is the error of an operation that was made to fail.
var ErrFault = errors.New("injected fault")

// NewFault returns d with a fault at an operation.
func NewFault(d disk.Disk, at int, f Flavour) *Fault { return &Fault{Disk: d, at: at, flavour: f} }

// NewCall returns a disk that calls then before an operation of d.
func NewCall(d disk.Disk, at int, then func()) *Fault {
	return &Fault{Disk: d, at: at, flavour: Call, then: then}
}

// NewWhole returns d without a fault, until one is set.
func NewWhole(d disk.Disk) *Fault { return &Fault{Disk: d, at: math.MaxInt} }

// Set counts operations from 0 again, and makes one fail.
func (d *Fault) Set(at int, f Flavour) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count, d.at, d.flavour = 0, at, f
}

// Break makes everything fail after n operations.
func (d *Fault) Break(n int) { d.Set(n, DieBefore) }

// Mend ends the fault.
func (d *Fault) Mend() { d.Set(math.MaxInt, FailUndone) }

// Count returns the number of operations.
func (d *Fault) Count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count
}

// Reached reports whether the fault has happened.
func (d *Fault) Reached() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count > d.at
}

// hit counts an operation. It returns whether to do it, whether to do half of it, and the error to return.
func (d *Fault) hit() (do, half bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.count
	d.count++
	switch {
	case n < d.at:
		return true, false, nil
	case n > d.at && d.flavour.Dies():
		return false, false, ErrFault
	case n > d.at:
		return true, false, nil
	}
	switch d.flavour {
	case FailDone, DieAfter:
		return true, false, ErrFault
	case FailHalf, DieHalf:
		return false, true, ErrFault
	case Call:
		d.then()
		return true, false, nil
	}
	return false, false, ErrFault
}

func (d *Fault) effect(do func() error) error {
	should, _, fault := d.hit()
	if should {
		if err := do(); err != nil {
			return err
		}
	}
	return fault
}

func result[T any](d *Fault, do func() (T, error)) (v T, err error) {
	err = d.effect(func() error { v, err = do(); return err })
	return v, err
}

// write is an effect that can be done by half.
func (d *Fault) write(data []byte, do func(data []byte) error) error {
	should, half, fault := d.hit()
	if half {
		data = data[:len(data)/2]
	}
	if should || half {
		if err := do(data); err != nil {
			return err
		}
	}
	return fault
}

func (d *Fault) Lstat(name string) (disk.Stat, error) {
	return result(d, func() (disk.Stat, error) { return d.Disk.Lstat(name) })
}

func (d *Fault) Inspect(name string) (disk.Traits, error) {
	return result(d, func() (disk.Traits, error) { return d.Disk.Inspect(name) })
}

func (d *Fault) ReadDir(name string) ([]string, error) {
	return result(d, func() ([]string, error) { return d.Disk.ReadDir(name) })
}

func (d *Fault) ReadFile(name string, max int64) ([]byte, error) {
	return result(d, func() ([]byte, error) { return d.Disk.ReadFile(name, max) })
}

func (d *Fault) ReadStart(name string, max int) ([]byte, error) {
	return result(d, func() ([]byte, error) { return d.Disk.ReadStart(name, max) })
}

func (d *Fault) Equal(name string, data []byte) (bool, error) {
	return result(d, func() (bool, error) { return d.Disk.Equal(name, data) })
}

func (d *Fault) Version(name string) (disk.Version, error) {
	return result(d, func() (disk.Version, error) { return d.Disk.Version(name) })
}

func (d *Fault) Hold(name string) (h disk.Held, err error) {
	h, err = result(d, func() (disk.Held, error) { return d.Disk.Hold(name) })
	if err != nil {
		if h != nil {
			h.Close()
		}
		return nil, err
	}
	return faultyHeld{d, h}, nil
}

type faultyHeld struct {
	on *Fault
	disk.Held
}

func (h faultyHeld) Attributes() (disk.Attributes, error) {
	return result(h.on, func() (disk.Attributes, error) { return h.Held.Attributes() })
}

func (h faultyHeld) Equal(data []byte) (bool, error) {
	return result(h.on, func() (bool, error) { return h.Held.Equal(data) })
}

func (h faultyHeld) IsCurrent() (bool, error) {
	return result(h.on, func() (bool, error) { return h.Held.IsCurrent() })
}

func (d *Fault) Amend(name string, was, now disk.Attributes) error {
	return d.effect(func() error { return d.Disk.Amend(name, was, now) })
}

func (d *Fault) Create(name string, data []byte, as disk.Meta) error {
	return d.write(data, func(data []byte) error { return d.Disk.Create(name, data, as) })
}

func (d *Fault) Overwrite(name string, data []byte) error {
	return d.write(data, func(data []byte) error { return d.Disk.Overwrite(name, data) })
}

func (d *Fault) SyncFile(name string) error {
	return d.effect(func() error { return d.Disk.SyncFile(name) })
}

func (d *Fault) SyncDir(name string) error {
	return d.effect(func() error { return d.Disk.SyncDir(name) })
}

func (d *Fault) Link(old, new string) error {
	return d.effect(func() error { return d.Disk.Link(old, new) })
}

func (d *Fault) Rename(old, new string) error {
	return d.effect(func() error { return d.Disk.Rename(old, new) })
}

func (d *Fault) RenameNew(old, new string) error {
	return d.effect(func() error { return d.Disk.RenameNew(old, new) })
}

func (d *Fault) Remove(name string) error {
	return d.effect(func() error { return d.Disk.Remove(name) })
}

func (d *Fault) Mkdir(name string, perm fs.FileMode) error {
	return d.effect(func() error { return d.Disk.Mkdir(name, perm) })
}
