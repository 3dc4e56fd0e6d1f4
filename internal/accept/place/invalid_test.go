package place_test

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// A number that means nothing is a mistake of the program. It is fs.ErrInvalid wherever it is first used, and no
// Refusal, because no model can mend it.
func TestNumbersThatMeanNothingAreInvalid(t *testing.T) {
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f", Edits: []atomicedit.Edit{{Old: "one", New: "two"}}}}}
	store := func() *atomicedit.Mem { return atomicedit.NewMem(map[string]string{"f": "one"}) }
	apply := func(loosest atomicedit.Fit) func(context.Context) error {
		return func(context.Context) error {
			_, err := atomicedit.Apply([]byte("one"), plan.Ops[0].Edits, &atomicedit.Options{Loosest: loosest})
			return err
		}
	}
	open := func(o atomicedit.DirOptions) func(context.Context) error {
		return func(context.Context) error {
			d, err := atomicedit.OpenDir(t.TempDir(), &o)
			if err == nil {
				d.Close()
			}
			return err
		}
	}
	host := func(set func(*atomicedit.Host),
		call func(context.Context, *atomicedit.Host) (*atomicedit.Answer, error)) func(context.Context) error {
		return func(ctx context.Context) error {
			h := &atomicedit.Host{Store: store()}
			set(h)
			answer, err := call(ctx, h)
			if answer.Status != "failed" {
				t.Errorf("the answer is %+v", answer)
			}
			return err
		}
	}
	view := func(ctx context.Context, h *atomicedit.Host) (*atomicedit.Answer, error) {
		return h.View(ctx, "f", 0, 0)
	}
	do := func(ctx context.Context, h *atomicedit.Host) (*atomicedit.Answer, error) { return h.Do(ctx, plan) }
	for name, use := range map[string]func(context.Context) error{
		"Loosest 99 of Apply": apply(99),
		"Loosest -1 of Apply": apply(-1),
		"Loosest 99 of Plan.Apply": func(context.Context) error {
			_, err := plan.Apply([]byte("one"), &atomicedit.Options{Loosest: 99})
			return err
		},
		"Loosest 99 of Prepare": func(ctx context.Context) error {
			_, err := atomicedit.Prepare(ctx, store(), plan, &atomicedit.Options{Loosest: 99})
			return err
		},
		"Loosest 99 of a Host":    host(func(h *atomicedit.Host) { h.Options = &atomicedit.Options{Loosest: 99} }, do),
		"MaxText -1 of a Host":    host(func(h *atomicedit.Host) { h.MaxText = -1 }, view),
		"Show \"both\" of a Host": host(func(h *atomicedit.Host) { h.Show = "both" }, view),
		"MaxLine -1 of a Host":    host(func(h *atomicedit.Host) { h.MaxLine = -1 }, do),
		"MaxSize -1":              open(atomicedit.DirOptions{MaxSize: -1}),
		"Durability 3":            open(atomicedit.DirOptions{Durability: 3}),
		"Durability -1":           open(atomicedit.DirOptions{Durability: -1}),
	} {
		t.Run(name, func(t *testing.T) {
			var refusal *atomicedit.Refusal
			if err := use(t.Context()); !errors.Is(err, fs.ErrInvalid) || errors.As(err, &refusal) {
				t.Errorf("error %v, want fs.ErrInvalid and no Refusal", err)
			}
		})
	}
}
