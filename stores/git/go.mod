module github.com/atomicedit/atomicedit/stores/git

go 1.25.0

require (
	github.com/atomicedit/atomicedit v0.0.0
	github.com/google/go-cmp v0.7.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/pmezard/go-difflib v1.0.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
	golang.org/x/text v0.31.0 // indirect
)

replace github.com/atomicedit/atomicedit => ../..
