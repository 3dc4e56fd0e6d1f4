package main

// answerSchema is the schema of an [answer].
const answerSchema = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"status": {"type": "string", "enum": ["done", "previewed", "shown", "refused", "denied", "failed"]},
		"text": {"type": "string", "description": "For the model."},
		"report": {
			"type": "object",
			"description": "Of an edit that could be made.",
			"properties": {
				"files": {"type": "array", "items": {"$ref": "#/$defs/file"}},
				"diff": {"type": "string", "description": "Unified, of all files."}
			},
			"required": ["files", "diff"],
			"additionalProperties": false
		},
		"path": {"type": "string", "description": "Of a file that was read, like the next five."},
		"version": {"type": "string", "description": "The sha256 of the content."},
		"first": {"type": "integer", "description": "The first line shown."},
		"last": {"type": "integer"},
		"lines": {"type": "integer", "description": "How many the file has."},
		"cut": {"type": "boolean", "description": "Less is shown than was asked for."},
		"problems": {
			"type": "array",
			"description": "Of a refusal.",
			"items": {
				"type": "object",
				"properties": {
					"code": {"type": "string"},
					"path": {"type": "string"},
					"op": {"type": "integer"},
					"edit": {"type": "integer"},
					"part": {"type": "string"},
					"line": {"type": "integer"},
					"places": {"type": "array", "items": {"type": "integer"}},
					"nearest": {
						"type": "object",
						"properties": {"line": {"type": "integer"}, "text": {"type": "string"}, "similarity": {"type": "number"}},
						"required": ["line", "text", "similarity"],
						"additionalProperties": false
					},
					"msg": {"type": "string"}
				},
				"required": ["code", "op", "edit", "places", "msg"],
				"additionalProperties": false
			}
		},
		"listing": {
			"type": "object",
			"description": "Of a directory.",
			"properties": {
				"path": {"type": "string"},
				"entries": {
					"type": "array",
					"items": {
						"type": "object",
						"properties": {
							"name": {"type": "string"},
							"kind": {"type": "string", "enum": ["file", "directory", "link", "other"]},
							"bytes": {"type": "integer"},
							"to": {"type": "string"}
						},
						"required": ["name", "kind"],
						"additionalProperties": false
					}
				},
				"more": {"type": "integer", "description": "How many entries follow."}
			},
			"required": ["path", "entries"],
			"additionalProperties": false
		},
		"cut": {"type": "boolean", "description": "Texts or lists of this answer are cut off because they are too long."}
	},
	"required": ["status", "text"],
	"additionalProperties": false,
	"$defs": {
		"file": {
			"type": "object",
			"properties": {
				"status": {"type": "string", "enum": ["added", "modified", "deleted", "moved"]},
				"path": {"type": "string"},
				"from": {"type": "string"},
				"added": {"type": "integer", "description": "Lines."},
				"removed": {"type": "integer"},
				"lines": {"type": "integer"},
				"bytes": {"type": "integer"},
				"bytes_before": {"type": "integer"},
				"before": {"type": "string", "description": "The sha256 of the content."},
				"after": {"type": "string"},
				"rebased": {"type": "string", "description": "What others have changed since the file was read."},
				"matches": {
					"type": "array",
					"items": {
						"type": "object",
						"properties": {
							"op": {"type": "integer"},
							"edit": {"type": "integer"},
							"fit": {"type": "string", "enum": ["exact", "spacing", "indentation", "notation", "elision", "drift"]},
							"by": {"type": "string"},
							"old": {"$ref": "#/$defs/span"},
							"new": {"$ref": "#/$defs/span"}
						},
						"required": ["op", "edit", "fit", "old", "new"],
						"additionalProperties": false
					}
				},
				"notes": {
					"type": "array",
					"items": {
						"type": "object",
						"properties": {"op": {"type": "integer"}, "edit": {"type": "integer"}, "line": {"type": "integer"}, "msg": {"type": "string"}},
						"required": ["op", "edit", "msg"],
						"additionalProperties": false
					}
				}
			},
			"required": ["status", "path", "added", "removed", "lines", "bytes", "bytes_before", "matches", "notes"],
			"additionalProperties": false
		},
		"span": {
			"type": "object",
			"properties": {"start": {"type": "integer"}, "end": {"type": "integer"}, "line": {"type": "integer"}, "lines": {"type": "integer"}},
			"required": ["start", "end", "line", "lines"],
			"additionalProperties": false
		}
	}
}`
