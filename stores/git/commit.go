package git

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// maxTries is how often a commit is built on a tip that moves before the next try: many minutes of other commits.
const maxTries = 1000

// errMoved means that the reference is no longer where it was, and that the commit is not part of it.
var errMoved = errors.New("git: the reference has moved")

// Commit implements [atomicedit.Store]: it makes one git commit of the changes. The files of the changes have to be as their Before
// says, at the very tip that the commit is built on. If others have moved the reference in the meantime, but changed none of these
// files, the commit is built again on the new tip. Changes that change nothing make no commit.
//
// If the context ends before the reference is moved, nothing has changed. After that, Commit finds out what has become of it.
func (s *Store) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if s.isZero() {
		return errZero
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	plan, err := planOf(changes)
	if err != nil || len(changes) == 0 {
		return err
	}
	if err := lock(ctx, s.turn); err != nil {
		return err
	}
	defer func() { <-s.turn }()
	if err := s.finish(ctx); err != nil {
		return err
	}
	message := s.message(changes)
	for try := range maxTries {
		err := s.try(ctx, plan, message)
		if err != errMoved {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
	return fmt.Errorf("git: %s has moved before each of %d tries to commit; try again later", s.ref, maxTries)
}

// pause waits for a random time, so that writers who have met do not meet again.
func pause(ctx context.Context, try int) error {
	longest := time.Millisecond << min(try, 6)
	select {
	case <-time.After(rand.N(longest)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// try builds a commit on the tip, and moves the reference to it. The error is errMoved if the reference was not, or is no longer, where
// it seemed to be.
func (s *Store) try(ctx context.Context, plan *node, message string) error {
	at, err := s.tip(ctx)
	if err != nil {
		return err
	}
	tree, objects, err := s.format.build(plan, at.tree, func(tree id) ([]entry, error) { return s.entries(ctx, tree.String()) })
	if err != nil {
		return s.unlessMoved(ctx, at, err)
	}
	if tree == at.tree {
		return s.unlessMoved(ctx, at, nil)
	}
	if err := s.checkPlace(); err != nil {
		return err
	}
	commit, objects, err := s.seal(ctx, at, tree, objects, message)
	if err != nil {
		return err
	}
	return s.move(ctx, at.commit, commit, objects)
}

// seal returns the commit of a tree, after it has written it with the other objects.
func (s *Store) seal(ctx context.Context, at tip, tree id, objects []object, message string) (id, []object, error) {
	if !s.signs {
		o := s.format.object("commit", s.commitText(at, tree, message))
		objects = append(objects, o)
		return o.id, objects, s.write(ctx, objects)
	}
	if err := s.write(ctx, objects); err != nil {
		return "", nil, err
	}
	o, err := s.signed(ctx, at, tree, message)
	return o.id, append(objects, o), err
}

// uniqueHeader is a header of a commit with a random number in it. Without it, two stores that make the same change at the same time on
// the same tip would make the same commit, and each would take that of the other for its own.
const uniqueHeader = "atomicedit"

func uniqueNumber() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// commitText returns the text of a commit object.
func (s *Store) commitText(at tip, tree id, message string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	if at.commit != "" {
		fmt.Fprintf(&b, "parent %s\n", at.commit)
	}
	now := time.Now()
	stamp := fmt.Sprintf("%d %s", now.Unix(), now.Format("-0700"))
	author, committer := s.o.Author, s.o.Committer
	fmt.Fprintf(&b, "author %s <%s> %s\n", author.Name, author.Email, stamp)
	fmt.Fprintf(&b, "committer %s <%s> %s\n", committer.Name, committer.Email, stamp)
	fmt.Fprintf(&b, "%s %s\n\n%s", uniqueHeader, uniqueNumber(), message)
	return []byte(b.String())
}

// signed lets git sign a commit and write it. Only a trusted repository says that commits are signed. Git adds no header, so the random
// number is in the message.
func (s *Store) signed(ctx context.Context, at tip, tree id, message string) (object, error) {
	message += "\n" + uniqueHeader + ": " + uniqueNumber() + "\n"
	args := []string{"commit-tree", "-S", "-F", "-"}
	if at.commit != "" {
		args = append(args, "-p", at.commit.String())
	}
	out, err := s.git.run(ctx, strings.NewReader(message), append(args, tree.String())...)
	if err != nil {
		return object{}, err
	}
	commit, err := s.format.parse(strings.TrimSpace(string(out)))
	return object{kind: "commit", id: commit}, err
}

// message returns the message of a commit, which ends in a line feed. Git ends a message at a NUL byte.
func (s *Store) message(changes []atomicedit.Change) string {
	text := ""
	if s.o.Message != nil {
		text = s.o.Message(atomicedit.ReportOf(changes))
	} else {
		text = summary(changes)
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	return strings.TrimRight(text, "\n") + "\n"
}

// summary returns the message of a commit if the caller has none: what it does, in a line, and the files, if they are several.
func summary(changes []atomicedit.Change) string {
	const most = 50
	moved := map[string]bool{}
	for _, c := range changes {
		if c.Before == nil && c.After != nil && c.From != "" {
			moved[c.From] = true
		}
	}
	var lines []string
	for _, c := range changes {
		switch {
		case c.Before == nil && c.After == nil, c.After == nil && moved[c.Path]:
		case c.Before == nil && c.From != "":
			lines = append(lines, "Move "+show(c.From)+" to "+show(c.Path))
		case c.Before == nil:
			lines = append(lines, "Create "+show(c.Path))
		case c.After == nil:
			lines = append(lines, "Delete "+show(c.Path))
		default:
			lines = append(lines, "Change "+show(c.Path))
		}
	}
	if len(lines) == 1 {
		return lines[0]
	}
	n := len(lines)
	if n > most {
		lines = append(slices.Clip(lines[:most]), fmt.Sprintf("and %d more", n-most))
	}
	return fmt.Sprintf("Change %d files\n\n%s", n, strings.Join(lines, "\n"))
}
