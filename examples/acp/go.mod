module github.com/atomicedit/atomicedit/examples/acp

go 1.25.0

require (
	github.com/atomicedit/atomicedit v0.0.0
	github.com/coder/acp-go-sdk v0.13.0
)

require (
	github.com/pmezard/go-difflib v1.0.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
	golang.org/x/text v0.31.0 // indirect
)

replace github.com/atomicedit/atomicedit => ../..
