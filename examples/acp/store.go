package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/coder/acp-go-sdk"

	"github.com/atomicedit/atomicedit"
)

// An editor is the part of a client that has the files: [acp.AgentSideConnection] calls it over the wire.
type editor interface {
	ReadTextFile(ctx context.Context, params acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error)
	WriteTextFile(ctx context.Context, params acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error)
}

// Files is a Store on the file system methods of the Agent Client Protocol: the texts as the user sees them, saved or
// not. The protocol can neither delete nor move a file, and it does not tell permissions. It compares nothing when it
// writes: a key that the user presses between the last comparison and the write can be lost.
type Files struct {
	editor  editor
	session acp.SessionId
	root    string // absolute, with slashes
}

// locate returns the store's name for a path, and the absolute path that the editor knows.
func (s *Files) locate(name string) (clean, abs string, err error) {
	if below, ok := strings.CutPrefix(name, strings.TrimSuffix(s.root, "/")+"/"); ok {
		name = below
	}
	clean, err = atomicedit.CleanPath(name)
	return clean, path.Join(s.root, clean), err
}

// notFound is the protocol's error code for a file that does not exist.
const notFound = -32002

// Read implements [atomicedit.Store].
func (s *Files) Read(ctx context.Context, name string) (*atomicedit.File, error) {
	clean, abs, err := s.locate(name)
	if err != nil {
		return nil, err
	}
	answer, err := s.editor.ReadTextFile(ctx, acp.ReadTextFileRequest{SessionId: s.session, Path: abs})
	var refused *acp.RequestError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &refused) && refused.Code == notFound:
		return &atomicedit.File{Path: clean}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case err != nil:
		return nil, fmt.Errorf("the editor cannot read %s: %w", clean, err)
	}
	return &atomicedit.File{Path: clean, Data: []byte(answer.Content)}, nil
}

// Check implements [atomicedit.Checker]: nobody is asked to approve a deletion or a move.
func (s *Files) Check(_ context.Context, changes []atomicedit.Change) error {
	for _, c := range changes {
		if c.Before != nil && c.After == nil {
			err := fmt.Errorf("the editor cannot delete or move files: %w", errors.ErrUnsupported)
			return &fs.PathError{Op: "check", Path: c.Path, Err: err}
		}
	}
	return nil
}

// Commit implements [atomicedit.Store]. If the editor refuses one text, the others get back what they had. If it
// refuses that as well, the error is [atomicedit.ErrUnfinished].
func (s *Files) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if err := s.Check(ctx, changes); err != nil {
		return err
	}
	if err := s.compare(ctx, changes); err != nil {
		return err
	}
	for i, c := range changes {
		if c.After == nil {
			continue
		}
		if err := s.write(ctx, c.Path, c.After); err != nil {
			return errors.Join(err, s.restore(context.WithoutCancel(ctx), changes[:i]))
		}
	}
	return nil
}

// compare checks that the files are as the changes say, and that no file has two changes.
func (s *Files) compare(ctx context.Context, changes []atomicedit.Change) error {
	known := map[string]bool{}
	var errs []error
	for _, c := range changes {
		now, err := s.Read(ctx, c.Path)
		if errors.Is(err, fs.ErrNotExist) {
			now = nil
		} else if err != nil {
			return err
		}
		clean, _, err := s.locate(c.Path)
		if known[clean] {
			err = &fs.PathError{Op: "check", Path: c.Path, Err: fs.ErrInvalid}
		}
		known[clean] = true
		errs = append(errs, err, c.Check(now))
	}
	return errors.Join(errs...)
}

func (s *Files) write(ctx context.Context, name string, f *atomicedit.File) error {
	clean, abs, err := s.locate(name)
	if err != nil {
		return err
	}
	_, err = s.editor.WriteTextFile(ctx,
		acp.WriteTextFileRequest{SessionId: s.session, Path: abs, Content: string(f.Data)})
	if err != nil {
		return fmt.Errorf("the editor cannot write %s: %w", clean, err)
	}
	return nil
}

// restore puts the old texts back. A file that the editor has made cannot be taken away again.
func (s *Files) restore(ctx context.Context, changes []atomicedit.Change) error {
	var errs []error
	for _, c := range changes {
		switch {
		case c.After == nil:
		case c.Before == nil:
			errs = append(errs, &fs.PathError{Op: "remove", Path: c.Path, Err: atomicedit.ErrUnfinished})
		default:
			if err := s.write(ctx, c.Path, c.Before); err != nil {
				errs = append(errs, errors.Join(&fs.PathError{Op: "restore", Path: c.Path,
					Err: atomicedit.ErrUnfinished}, err))
			}
		}
	}
	return errors.Join(errs...)
}

var (
	_ atomicedit.Store   = (*Files)(nil)
	_ atomicedit.Checker = (*Files)(nil)
)
