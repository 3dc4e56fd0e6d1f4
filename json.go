package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// ParseJSON reads a call of an editing tool: its arguments, the call itself, or a message or an answer of a model API with one call
// or several. Calls may also follow one another, as in JSON lines. All of them are one plan, in order; line numbers in them count the
// files as they were before it. ParseJSON also reads a plan, to the letter as [Plan.JSON] prints it.
//
// The fields of the arguments determine what they ask for: the old and new text of an edit, lines by their numbers or with a [Tag] as in
// "12#QKVR", a range of a language server, a list of such edits, of one file or of several; the content of a whole file; a patch, a diff or
// blocks in a string; a path to delete or to move. They may have the names that the established tools give them, in any spelling. A single
// edit is accepted instead of a list, a string instead of a number or a flag, and a list of lines instead of a text in a field such as
// "old_lines". A flag such as "replace_all" next to a list of edits applies to each of them. A field that is null counts as missing, except
// that an old or new text that is null is empty. Fields that are known to mean nothing for the edit, such as "explanation", are ignored,
// unless they say that the edit is not to be made, as "status": "rejected".
//
// An object is accepted instead of a list of files. It has each file under its name, with what to do with the file, or with its content if
// the call says that it writes files. The directory of a file may be given apart from its name, as in {"directory", "filename"}. The
// arguments may be a list of parameters, each with its "name" and "value". If a deletion by name has "content", the file must still have
// that content.
//
// If the call names its tool, next to its arguments, among them or as their key, the name counts as well: a tool that reads or copies makes
// no edit, one that previews asks for a dry run, and only one whose name says so writes a whole file. Fields next to the arguments are
// ignored, unless they could change the edit, as a flag that is set could, or say that the call is not to be made.
//
// From the Agent Client Protocol, ParseJSON reads the request fs/write_text_file, and diffs in tool calls that have not been made, in their
// updates and in questions to the user. The old text of a diff is the file or a part of it, and must be there once. A diff without old text
// makes a new file.
//
// JSON of a language server is read as [ParseLSP] reads it, even in the arguments of a call, in a request workspace/applyEdit, or in a code
// action without a command.
//
// Every error is a [*Refusal]: [ErrSyntax] for a field that is missing, unknown, of the wrong type or repeated, for fields that
// contradict each other, for a call that is not an edit, for text after the JSON and for invalid UTF-8 (and also io.ErrUnexpectedEOF if
// the JSON was cut off); [ErrNoChange] for an edit whose texts are equal; [ErrTooLarge] for more than 64 MiB. Lines count those of
// data, or those of a string that holds a patch or blocks. Time and memory are linear in the length of data.
func ParseJSON(data []byte) (Plan, error) {
	return parseJSONCalls(data, Parse)
}

// parseJSONCalls is ParseJSON, where readProse reads the text of a message without calls.
func parseJSONCalls(data []byte, readProse proseParser) (Plan, error) {
	values, err := parseValues(data)
	if err != nil {
		return Plan{}, withPartial(err, data, func(data []byte) (Plan, error) { return parseJSONCalls(data, readProse) })
	}
	r := newJSONReader(data)
	plans := make([]Plan, len(values))
	for i, v := range values {
		if plans[i], err = readRequest(r, v, readProse); err != nil {
			return Plan{}, err
		}
	}
	return joinCalls(plans)
}

// ParseCall reads the arguments of a tool call, for hosts that get the name and the arguments from an API separately. If the tool is one of
// [Tools], [Tool.Parse] reads them. Otherwise they are read as [ParseJSON] reads a call that names its tool or, if the name is "", a call
// that does not. The errors and the cost are those of ParseJSON. It does not retain args.
func ParseCall(tool string, args []byte) (Plan, error) {
	if tool == "" {
		return ParseJSON(args)
	}
	for _, k := range toolKinds {
		if k.name == tool {
			return Tool{Name: tool}.Parse(args)
		}
	}
	return readNamedCall(tool, args)
}

// A proseParser reads a request in any format, in the text of a message.
type proseParser func(text string) (Plan, error)

// readRequest reads a change of a language server, a plan, a call, or an envelope with calls.
func readRequest(r *jsonRequest, v jsonobj.Value, readProse proseParser) (Plan, error) {
	if v.Kind() == '[' {
		if edit, ok := lspInList(r, v); ok {
			return readLSP(r, edit)
		}
		return readEnvelope(r, v, nil, readProse)
	}
	o, err := r.call(v, theRequest)
	if err != nil {
		return Plan{}, err
	}
	if edit, ok := lspIn(r, v, o); ok {
		return readLSP(r, edit)
	}
	if p, ok := readPlan(v, &o.Object); ok {
		return p, nil
	}
	return readEnvelope(r, v, o, readProse)
}

// readEnvelope reads a call, or an envelope with calls. If v is an object, o reads it.
func readEnvelope(r *jsonRequest, v jsonobj.Value, o *jsonObject, readProse proseParser) (Plan, error) {
	var u unpacked
	var err error
	if o != nil {
		err = unpackObject(o, v, 0, &u)
	} else {
		err = unpackValue(r, v, 0, &u)
	}
	if err != nil {
		return Plan{}, err
	}
	p, err := readUnpacked(r, u, readProse)
	switch {
	case u.cutOff != "":
		return Plan{}, cutOff(1, p, "the message was cut off or failed, as "+u.cutOff+" says: send it again in full")
	case err != nil:
		return Plan{}, err
	}
	return p, nil
}

// readUnpacked reads the calls of an envelope. If there is none, it reads the text that stands in their place.
func readUnpacked(r *jsonRequest, u unpacked, readProse proseParser) (Plan, error) {
	if len(u.calls) > 0 || len(r.found) > 0 {
		return readCalls(r, u)
	}
	if p, err := readProse(strings.Join(u.prose, "\n")); err == nil {
		return p, nil
	}
	return Plan{}, syntax(1, "there is no call in the request: expected a call with \"name\" and \"arguments\" or \"input\"")
}
