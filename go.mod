module github.com/atomicedit/atomicedit

go 1.25.0

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
	golang.org/x/text v0.31.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
