package atomicedit

import (
	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/lsp"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/request"
)

// Parse reads a request in any format that this package knows: JSON ([ParseJSON], [ParseLSP]), SEARCH/REPLACE blocks
// ([ParseBlocks]), a V4A patch ([ParseV4A]), a unified diff ([ParseUnified]), calls as tags, hashlines, calls in
// Python, files in code fences, and the line edits of SWE-agent. It recognizes JSON, which may have text around it, by
// its first character, and the other formats by the first line that is one of their markers. In the repository,
// docs/formats.md has an example of each shape and dialect, and docs/reading.md describes them. An empty request and
// one in no known format are a [*Refusal] with [ErrNoRequest]. One in several formats (with markers or calls of another
// format outside the content of the first) is one with [ErrSyntax]. A V4A body without any "@@" or "***" line needs
// [ParseV4A]. The other errors are those of the parsers. Time and memory are linear in the request.
func Parse(text string) (Plan, error) { return parsed(request.Parse(text)) }

// ParseJSON reads a call of an editing tool: its arguments, the call itself, or a message or an answer of a model API
// with one call or several. Calls may also follow one another, as in JSON lines. All of them are one plan, in order;
// line numbers in them count the files as they were before it. ParseJSON also reads a plan as [Plan.JSON] prints it, to
// the letter, and JSON of a language server as [ParseLSP] does.
//
// The fields of the arguments, in any spelling of the names that the established tools give them, determine what they
// ask for. If the call names its tool, the name counts as well: a tool that reads or copies makes no edit, one that
// previews asks for a dry run, and only one whose name says so writes a whole file. In the repository, docs/reading.md
// says which fields are understood, ignored or refused. Every error is a [*Refusal]: [ErrSyntax] for what cannot be
// read or contradicts itself (and [io.ErrUnexpectedEOF] if the JSON was cut off), [ErrNoChange] for an edit whose texts
// are equal, [ErrTooLarge] for more than 64 MiB. Lines count those of data, or of a patch or blocks in it.
func ParseJSON(data []byte) (Plan, error) { return parsed(request.ParseJSON(data)) }

// ParseCall reads the arguments of a tool call, for hosts that get the name and the arguments separately. If the tool
// is one of [Tools], [Tool.Parse] reads them; another shape counts only if it does no more than the tool is for.
// Otherwise they are read as [ParseJSON] reads a call that names its tool or, for "", does not, with its errors.
func ParseCall(tool string, args []byte) (Plan, error) {
	p, err := parsed(request.ParseCall(tool, args))
	return p, ofCall(err, args)
}

// JSON prints p as the JSON that [json.Marshal] makes of it. [ParseJSON] and [Parse] of it give p again, except that an
// empty slice becomes nil. A plan without operations, an operation of unknown kind, and a string that is not valid
// UTF-8 are a [*Refusal] with [errors.ErrUnsupported]. The cost is linear.
func (p Plan) JSON() (string, error) { return printed(call.Print(p.internal())) }

// ParseLSP reads text edits, which leave Op.Path empty (see [Plan.ForFile]), or a workspace edit, in the JSON of the
// Language Server Protocol, version 3.17. Each text edit becomes an [Edit] with a [Range] in UTF-16 code units. Set
// Range.Unit if client and server have agreed on another unit. The positions of all edits in a list refer to the
// document before any of them. The version of a document is ignored, because it counts changes in an editor: use a
// [Session], which knows what has changed. In the repository, docs/reading.md says how URIs and the options of file
// operations are read, and what is refused.
//
// Every error is a [*Refusal]: [ErrSyntax] for a field that is missing, unknown or of the wrong type, [ErrNoChange] if
// there are no edits, and [ErrTooLarge] for more than 64 MiB. Time and memory are linear in the length of data.
func ParseLSP(data []byte) (Plan, error) { return parsed(request.ParseLSP(data)) }

// LSP prints changes, such as those of a [Transaction], as a WorkspaceEdit of the Language Server Protocol for an
// editor. The text edits of a file change no more lines than its diff does, and columns count UTF-16 code units. A
// change that text edits cannot express, such as one of line endings alone, is printed as a new file that overwrites
// the old one. A relative path becomes a reference without a scheme, which an editor may not read.
//
// New permissions of an existing file, a new file that is executable, and new text that is not UTF-8 are a [*Refusal]
// with [errors.ErrUnsupported], which has a problem for each such change. The cost is about that of [Diff].
func LSP(changes []Change) ([]byte, error) {
	var all []lsp.FileChange
	for _, e := range effectsOfChanges(changes) {
		before, after := (*lsp.FileState)(e.before().File), (*lsp.FileState)(e.change.After)
		f := lsp.FileChange{Path: e.change.Path, Before: before, After: after}
		if e.moved {
			f.From = e.from.path
		}
		all = append(all, f)
	}
	out, err := lsp.Print(all, func(text []byte, edits []plan.Edit) ([]byte, error) {
		res, err := Apply(text, convertAll(edits, fromEdit), nil)
		if err != nil {
			return nil, err
		}
		return res.Text, nil
	})
	return printed(out, err)
}

// A StreamState says how much a [Stream] knows so far. The zero value is StreamWaiting.
type StreamState int

const (
	StreamWaiting  StreamState = iota // nothing can be told yet, not even the format
	StreamOpen                        // the request can be read so far
	StreamHopeless                    // whatever follows, the request will be refused: see [Stream.Err]
)

// A Stream reads a request as it arrives, for previews. The zero value is ready. Its total cost is linear in what is
// written, however small the chunks are and however often the plan is asked for. A Stream must not be copied after the
// first Write, and is not safe for concurrent use. It reports only what the rest of the request cannot change: edits
// and operations that are complete. In some formats, which docs/hosting.md in the repository lists, that is nothing
// before the end. Carry out nothing before [Stream.Close] returns the plan of the whole request.
type Stream struct {
	// Tool is the name of the tool whose arguments the chunks are, as [ParseCall] reads them. Set it before the first
	// Write. "" stands for a request in any format, as [Parse] reads it.
	Tool string

	in   request.Stream
	plan Plan // as it was last told
}

// Write adds a chunk to the request. It never fails.
func (s *Stream) Write(chunk []byte) (int, error) { return s.in.Write(chunk) }

// Plan returns what is complete so far, or was when the request was half as long. The plan is valid until the next
// Write; it must not be modified. It stays true as the request grows, except that an empty Plan.Format, Op.Path or
// Op.Version may be filled in, and it grows only at its end: by edits of the last operation, and operations.
func (s *Stream) Plan() (Plan, StreamState) {
	s.in.Tool = s.Tool
	p, fresh, known := s.in.Plan()
	if fresh {
		s.plan = fromPlan(p)
	}
	switch {
	case s.in.Err != nil:
		return s.plan, StreamHopeless
	case known:
		return s.plan, StreamOpen
	}
	return s.plan, StreamWaiting
}

// Err returns the refusal that the request will end in, whatever follows, as of the last call of [Stream.Plan], or nil.
func (s *Stream) Err() error { return refusalOf(s.in.Err) }

// Close returns what [Parse] returns for the whole request, or what [ParseCall] returns for the arguments of a tool.
func (s *Stream) Close() (Plan, error) {
	s.in.Tool = s.Tool
	return parsed(s.in.Close())
}
