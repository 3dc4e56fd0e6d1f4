module github.com/atomicedit/atomicedit

go 1.25.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/pmezard/go-difflib v1.0.0
	golang.org/x/sys v0.38.0
	golang.org/x/text v0.31.0
	pgregory.net/rapid v1.3.0
)
