package atomicedit

import "github.com/atomicedit/atomicedit/internal/request"

// Parse reads a request in any format that this package knows: JSON ([ParseJSON], [ParseLSP]), SEARCH/REPLACE blocks
// ([ParseBlocks]), a V4A patch ([ParseV4A]), a unified diff ([ParseUnified]), calls as tags, hashlines, calls in
// Python, files in code fences, and the line edits of SWE-agent. It recognizes JSON by its first character, and the
// other formats by the first line that is one of their markers. JSON may also have text around it. In the repository,
// docs/formats.md has an example of each shape and dialect, and docs/reading.md describes them.
//
// An empty request, one in no known format, and one in several formats (with markers of another format outside the
// content of the first) are a [*Refusal] with [ErrSyntax]. Parse does not recognize a V4A body without any "@@" or
// "***" line: use [ParseV4A]. The other errors are those of the parsers. Time and memory are linear in the length of
// the request.
func Parse(text string) (Plan, error) { return parsed(request.Parse(text)) }

// ParseJSON reads a call of an editing tool: its arguments, the call itself, or a message or an answer of a model API
// with one call or several. Calls may also follow one another, as in JSON lines. All of them are one plan, in order;
// line numbers in them count the files as they were before it. ParseJSON also reads a plan, to the letter as
// [Plan.JSON] prints it.
//
// The fields of the arguments determine what they ask for. They may have the names that the established tools give
// them, in any spelling. If the call names its tool, the name counts as well: a tool that reads or copies makes no
// edit, one that previews asks for a dry run, and only one whose name says so writes a whole file. In the repository,
// docs/formats.md has an example of each shape, and docs/reading.md says which fields are understood, ignored or
// refused. JSON of a language server is read as [ParseLSP] reads it.
//
// Every error is a [*Refusal]: [ErrSyntax] for a field that is missing, unknown, of the wrong type or repeated, for
// fields that contradict each other, for a call that is not an edit, for text after the JSON and for invalid UTF-8 (and
// also [io.ErrUnexpectedEOF] if the JSON was cut off); [ErrNoChange] for an edit whose texts are equal; [ErrTooLarge]
// for more than 64 MiB. Lines count those of data, or those of a string that holds a patch or blocks. Time and memory
// are linear in the length of data.
func ParseJSON(data []byte) (Plan, error) { return parsed(request.ParseJSON(data)) }

// ParseCall reads the arguments of a tool call, for hosts that get the name and the arguments from an API separately.
// If the tool is one of [Tools], [Tool.Parse] reads them. Otherwise they are read as [ParseJSON] reads a call that
// names its tool or, if the name is "", a call that does not. The errors and the cost are those of ParseJSON. It does
// not retain args.
func ParseCall(tool string, args []byte) (Plan, error) { return parsed(request.ParseCall(tool, args)) }
