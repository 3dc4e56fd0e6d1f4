package git

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A sealed commit is one that git has, and that is part of no history yet.
type sealed struct {
	id      id
	objects []object // that were written with it, and itself
	keep    string   // the file that keeps their pack, "" if there is none; to be removed when the reference has moved
}

// seal returns the commit of a tree, after it has written it with the other objects.
func (r *repository) seal(ctx context.Context, at tip, tree id, objects []object, message string) (c sealed,
	err error) {
	if !r.signs {
		o := r.format.object("commit", r.commitText(at, tree, message))
		c.id, c.objects = o.id, append(objects, o)
		c.keep, err = r.write(ctx, c.objects)
		return c, err
	}
	if c.keep, err = r.write(ctx, objects); err != nil {
		return c, err
	}
	o, err := r.signed(ctx, at, tree, message)
	c.id, c.objects = o.id, append(objects, o)
	return c, err
}

// uniqueHeader is a header of a commit with a random number in it. Without it, two stores that make the same change at
// the same time on the same tip would make the same commit, and each would take that of the other for its own.
const uniqueHeader = "atomicedit"

func uniqueNumber() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// commitText returns the text of a commit object.
func (r *repository) commitText(at tip, tree id, message string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	if at.commit != "" {
		fmt.Fprintf(&b, "parent %s\n", at.commit)
	}
	now := time.Now()
	stamp := fmt.Sprintf("%d %s", now.Unix(), now.Format("-0700"))
	author, committer := r.o.Author, r.o.Committer
	fmt.Fprintf(&b, "author %s <%s> %s\n", author.Name, author.Email, stamp)
	fmt.Fprintf(&b, "committer %s <%s> %s\n", committer.Name, committer.Email, stamp)
	fmt.Fprintf(&b, "%s %s\n\n%s", uniqueHeader, uniqueNumber(), message)
	return []byte(b.String())
}

// signed lets git sign a commit and write it. Only a trusted repository says that commits are signed. Git adds no
// header, so the random number is in the message.
func (r *repository) signed(ctx context.Context, at tip, tree id, message string) (object, error) {
	message += "\n" + uniqueHeader + ": " + uniqueNumber() + "\n"
	args := []string{"commit-tree", "-S", "-F", "-"}
	if at.commit != "" {
		args = append(args, "-p", at.commit.String())
	}
	out, err := r.git.run(ctx, strings.NewReader(message), append(args, tree.String())...)
	if err != nil {
		return object{}, err
	}
	commit, err := r.format.parse(strings.TrimSpace(string(out)))
	return object{kind: "commit", id: commit}, err
}

// message returns the message of a commit, which ends in a line feed. Git ends a message at a NUL byte.
func (r *repository) message(changes []atomicedit.Change) string {
	text := ""
	if r.o.Message != nil {
		text = r.o.Message(atomicedit.ReportOf(changes))
	} else {
		text = summary(changes)
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	return strings.TrimRight(text, "\n") + "\n"
}

// summary returns the message of a commit if the caller has none: what it does, in a line, and the files, if they are
// several.
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
