package disktest

import (
	"errors"
	"math"
	"sync"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A Fault makes one operation of another disk fail, and perhaps all operations after it. Operations are counted from 0.
type Fault struct {
	around
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
func NewFault(d disk.Disk, at int, f Flavour) *Fault {
	fault := &Fault{at: at, flavour: f}
	fault.around = around{Disk: d, do: fault.mayFail}
	return fault
}

// NewCall returns a disk that calls then before an operation of d.
func NewCall(d disk.Disk, at int, then func()) *Fault {
	fault := NewFault(d, at, Call)
	fault.then = then
	return fault
}

// NewWhole returns d without a fault, until one is set.
func NewWhole(d disk.Disk) *Fault { return NewFault(d, math.MaxInt, FailUndone) }

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

// hit counts an operation. It returns what to do of it, and the error to return after that.
func (d *Fault) hit(all, half func() error) (part func() error, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.count
	d.count++
	switch {
	case n < d.at, n > d.at && !d.flavour.Dies():
		return all, nil
	case n > d.at:
		return nothing, ErrFault
	}
	switch d.flavour {
	case FailDone, DieAfter:
		return all, ErrFault
	case FailHalf, DieHalf:
		return half, ErrFault
	case Call:
		d.then()
		return all, nil
	}
	return nothing, ErrFault
}

func nothing() error { return nil }

func (d *Fault) run(all, half func() error) error {
	part, fault := d.hit(all, half)
	if err := part(); err != nil {
		return err
	}
	return fault
}

func (d *Fault) mayFail(_ string, _ []string, do func() error) error { return d.run(do, nothing) }

// write is an operation that can be done by half.
func (d *Fault) write(data []byte, do func(data []byte) error) error {
	return d.run(func() error { return do(data) }, func() error { return do(data[:len(data)/2]) })
}

func (d *Fault) Create(name string, data []byte, as disk.Meta) error {
	return d.write(data, func(data []byte) error { return d.Disk.Create(name, data, as) })
}

func (d *Fault) Overwrite(name string, data []byte) error {
	return d.write(data, func(data []byte) error { return d.Disk.Overwrite(name, data) })
}
