package telemetry

import (
	"fmt"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/google/go-cmp/cmp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

func TestCallsAreTraced(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	tracer := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)).Tracer("test")
	host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"a": "x\n"}), Events: Events}
	for _, old := range []string{"x", "y"} {
		args := fmt.Sprintf(`{"file_path": "a", "edits": [{"old_string": %q, "new_string": "z"}]}`, old)
		answer, err := Call(t.Context(), tracer, host, "multi_edit", []byte(args))
		if done := answer.Status == "done"; done != (err == nil) {
			t.Errorf("%s: %v", answer.Text, err)
		}
	}
	var got []string
	for _, span := range recorder.Ended() {
		line := span.Name()
		for _, a := range span.Attributes() {
			line += fmt.Sprintf(" %s=%s", a.Key, a.Value.AsString())
		}
		for _, e := range span.Events() {
			line += " event " + e.Name
		}
		got = append(got, line)
	}
	const named = "execute_tool multi_edit gen_ai.operation.name=execute_tool gen_ai.tool.name=multi_edit atomicedit.status="
	want := []string{named + "done event preview", named + "refused error.type=not_found"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}
