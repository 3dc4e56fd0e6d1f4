//go:build js && wasm

// Command wasm makes package trial available to JavaScript: it sets globalThis.atomicedit to an object with functions
// that take the files as a list of objects, the request, and the name of the loosest fit, and return JSON.
package main

import (
	"encoding/json"
	"runtime/debug"
	"syscall/js"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/playground/trial"
)

func main() {
	debug.SetGCPercent(400) // the texts are small beside the memory of a browser
	replay := trial.NewReplay(trial.Input{})
	js.Global().Set("atomicedit", map[string]any{
		"try":   function(func(in trial.Input) any { return trial.Try(in) }),
		"print": function(func(in trial.Input) any { return map[string]any{"formats": trial.Print(in)} }),
		"gotest": function(func(in trial.Input) any {
			entry, test := trial.GoTest(in)
			return map[string]string{"entry": entry, "test": test}
		}),
		"replay": function(func(in trial.Input) any {
			replay = trial.NewReplay(in)
			return map[string]any{"size": len(in.Request), "milestones": trial.Milestones(in)}
		}),
		"frame": js.FuncOf(func(_ js.Value, args []js.Value) any { return toJSON(replay.At(args[0].Int())) }),
	})
	select {}
}

// function makes a function of JavaScript from one that takes an input.
func function(f func(trial.Input) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any { return toJSON(f(inputOf(args))) })
}

func inputOf(args []js.Value) trial.Input {
	in := trial.Input{Request: args[1].String()}
	for i := range args[0].Length() {
		file := args[0].Index(i)
		read := ""
		if v := file.Get("read"); v.Type() == js.TypeString {
			read = v.String()
		}
		in.Files = append(in.Files, trial.File{Path: file.Get("path").String(), Text: file.Get("text").String(),
			Read: read})
	}
	var loosest atomicedit.Fit
	if err := loosest.UnmarshalText([]byte(args[2].String())); err == nil {
		in.Loosest = loosest
	}
	return in
}

func toJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return `{"error":"the answer cannot be shown: a text is not UTF-8"}`
	}
	return string(b)
}
