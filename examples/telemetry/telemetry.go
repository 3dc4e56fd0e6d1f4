// Package telemetry traces the calls of a Host with OpenTelemetry. The names are those of its conventions for
// generative AI: https://opentelemetry.io/docs/specs/semconv/gen-ai/
package telemetry

import (
	"context"

	"github.com/atomicedit/atomicedit"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Call carries out a tool call in a span of its own. It is like [atomicedit.Host.Call] otherwise.
func Call(ctx context.Context, tracer trace.Tracer, h *atomicedit.Host, tool string, args []byte) (*atomicedit.Answer,
	error) {
	ctx, span := tracer.Start(ctx, "execute_tool "+tool, trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", tool)))
	defer span.End()
	return h.Call(ctx, tool, args)
}

// Events records what a call has come to in the span of its context. Use it as [atomicedit.Host.Events].
func Events(ctx context.Context, e atomicedit.Event) {
	span := trace.SpanFromContext(ctx)
	if e.Answer == nil {
		span.AddEvent(e.Kind)
		return
	}
	span.SetAttributes(attribute.String("atomicedit.status", e.Answer.Status))
	if len(e.Answer.Problems) > 0 {
		span.SetAttributes(attribute.String("error.type", e.Answer.Problems[0].Code))
		span.SetStatus(codes.Error, e.Answer.Problems[0].Msg)
	}
}
