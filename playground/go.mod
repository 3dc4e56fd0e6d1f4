module github.com/atomicedit/atomicedit/playground

go 1.25.0

require (
	github.com/andybalholm/brotli v1.2.0
	github.com/atomicedit/atomicedit v0.0.0
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/google/go-cmp v0.7.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
	golang.org/x/text v0.31.0 // indirect
)

replace github.com/atomicedit/atomicedit => ..
