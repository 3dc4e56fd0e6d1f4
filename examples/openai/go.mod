module github.com/atomicedit/atomicedit/examples/openai

go 1.25.0

require (
	github.com/atomicedit/atomicedit v0.0.0
	github.com/openai/openai-go/v3 v3.72.0
)

require (
	github.com/coder/websocket v1.8.15 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/tidwall/gjson v1.19.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.41.0 // indirect
)

replace github.com/atomicedit/atomicedit => ../..
