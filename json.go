package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

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
