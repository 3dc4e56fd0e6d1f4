package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit"
	_ "modernc.org/sqlite"
)

// An agent has the tools of one conversation.
type agent struct {
	roots        *atomicedit.Dir
	session      *atomicedit.Session
	db           *sql.DB
	conversation string
	dir, linter  string     // the linter, if it is not "", runs in the directory after each change
	turn         sync.Mutex // held during a call

	// permit asks the user for permission. The transaction has the whole texts before and after; it is nil if a
	// directory is to be opened. A user who edits the proposal first returns what its With makes of it. An error
	// denies, and goes to the model.
	permit func(ctx context.Context, what string, t *atomicedit.Transaction) (*atomicedit.Transaction, error)
}

// A result is the outcome of a call. The text is for the model, the rest for the user interface.
type result struct {
	Text    string               `json:"text"`
	IsError bool                 `json:"is_error"`
	Report  *atomicedit.Report   `json:"report,omitempty"`   // has the diff, and how many lines were added and removed
	LeftOut []atomicedit.Problem `json:"left_out,omitempty"` // the edits of a multiedit that cannot be made
}

// call carries out one tool call.
func (a *agent) call(ctx context.Context, tool string, args []byte) (r result) {
	a.turn.Lock()
	defer a.turn.Unlock()
	host := &atomicedit.Host{Store: a.session, Options: &atomicedit.Options{Partial: tool == "multiedit"}}
	host.Tools = []atomicedit.Tool{{Name: "view", Reads: "view with its file_path"}}
	host.Approve = func(ctx context.Context, t *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		var leftOut strings.Builder
		for _, p := range t.Report().LeftOut {
			leftOut.WriteString("left out: " + p.String() + "\n")
		}
		return a.permit(ctx, leftOut.String()+t.Report().Diff+tool, t)
	}
	plan, err := atomicedit.ParseCall(tool, args)
	do := func() (*atomicedit.Answer, error) { return host.Do(ctx, plan) }
	switch tool {
	case "view":
		var in struct {
			FilePath    string `json:"file_path"`
			First, Last int
		}
		err = json.Unmarshal(args, &in)
		do = func() (*atomicedit.Answer, error) { return host.View(ctx, in.FilePath, in.First, in.Last) }
	case "edit", "multiedit", "write":
	default:
		err = errors.New("there is no tool " + tool)
	}
	if err != nil {
		return result{Text: err.Error(), IsError: true}
	}
	answer, err := do()
	if errors.Is(err, atomicedit.ErrOutside) && a.open(ctx, tool, answer.Problems) {
		answer, _ = do() // the answer says what the error says
	}
	isDone := answer.Status == "done" || answer.Status == "partial" || answer.Status == "shown"
	r.Text, r.Report, r.IsError, r.LeftOut = answer.Text, answer.Report, !isDone, answer.Problems
	if answer.Status == "partial" {
		r.LeftOut = answer.Report.LeftOut
	}
	if err := a.keep(ctx, answer); err != nil {
		r.Text += "note: the database does not have this call: " + err.Error() + "\n"
	}
	r.Text += a.lint(ctx, answer.Changes)
	return r
}

// open opens the directories of files that are outside, if the user permits it.
func (a *agent) open(ctx context.Context, tool string, problems []atomicedit.Problem) bool {
	for _, p := range problems {
		dir, err := filepath.EvalSymlinks(filepath.Dir(p.Path)) // the user sees where a link leads
		if err == nil && filepath.IsAbs(p.Path) {
			_, err = a.permit(ctx, tool+" outside, in "+dir, nil)
		}
		if err != nil || !filepath.IsAbs(p.Path) || a.roots.Add(filepath.Dir(p.Path)) != nil {
			return false
		}
	}
	return true
}

// lint returns what the linter says about changed files. Without a linter, there is no program to run.
func (a *agent) lint(ctx context.Context, changes []atomicedit.Change) (diagnostics string) {
	for _, c := range changes {
		lint := exec.CommandContext(ctx, a.linter, c.Path)
		lint.Dir = a.dir
		if out, err := lint.CombinedOutput(); a.linter != "" && c.After != nil && err != nil {
			diagnostics += fmt.Sprintf("diagnostics of %s:\n%s%v\n", c.Path, out, err)
		}
	}
	return diagnostics
}

const tables = `CREATE TABLE IF NOT EXISTS reads (conversation TEXT, path TEXT, seen TEXT, at TEXT, PRIMARY KEY (conversation, path));
	CREATE TABLE IF NOT EXISTS versions (id INTEGER PRIMARY KEY, conversation TEXT, path TEXT, content BLOB, at TEXT)`

// addReads keeps what a conversation has seen of its files. The time changes for the file that was read, and for those
// of which the conversation has seen more, or something else.
const addReads = `INSERT INTO reads SELECT ?1, key, value, datetime('now') FROM json_each(?2, '$.seen.files') WHERE true
	ON CONFLICT DO UPDATE SET seen = excluded.seen, at = excluded.at WHERE seen <> excluded.seen OR path = ?2 ->> '$.read'`

// addVersion keeps a version of a file, unless it is the latest one. So it also keeps what others make of the file
// between two calls.
const addVersion = `INSERT INTO versions (conversation, path, content, at) SELECT ?1, ?2, ?3, datetime('now') WHERE ?3 IS NOT
	(SELECT content FROM versions WHERE conversation = ?1 AND path = ?2 ORDER BY id DESC LIMIT 1)`

// newAgent returns an agent that goes on with a conversation.
func newAgent(ctx context.Context, dir, file, conversation string) (*agent, error) {
	roots, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // every connection to ":memory:" has a database of its own
	if _, err := db.ExecContext(ctx, tables); err != nil {
		return nil, err
	}
	var seen []byte
	if err := db.QueryRowContext(ctx, `SELECT json_group_object(path, json(seen)) FROM reads WHERE conversation = ?`,
		conversation).Scan(&seen); err != nil {
		return nil, err
	}
	session := atomicedit.NewSession(roots)
	session.Strict = true // its prompt says that a file is read before it is changed
	err = json.Unmarshal([]byte(`{"files": `+string(seen)+`}`), session)
	return &agent{roots: roots, session: session, db: db, conversation: conversation, dir: dir}, err
}

// keep keeps what a call has read and changed.
func (a *agent) keep(ctx context.Context, answer *atomicedit.Answer) error {
	known, err := json.Marshal(map[string]any{"seen": a.session, "read": answer.Path})
	if err == nil {
		_, err = a.db.ExecContext(ctx, addReads, a.conversation, string(known))
	}
	for _, c := range answer.Changes {
		for _, f := range []*atomicedit.File{c.Before, c.After} {
			if f != nil && err == nil {
				// not nil, which is NULL
				_, err = a.db.ExecContext(ctx, addVersion, a.conversation, c.Path, append([]byte{}, f.Data...))
			}
		}
	}
	return err
}
