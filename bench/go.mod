module github.com/atomicedit/atomicedit/bench

go 1.25.0

require (
	github.com/atomicedit/atomicedit v0.0.0
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/bluekeyes/go-gitdiff v0.9.0
	github.com/hexops/gotextdiff v1.0.3
	github.com/pmezard/go-difflib v1.0.0
)

require (
	github.com/google/renameio/v2 v2.0.2
	github.com/hanwen/go-fuse/v2 v2.12.1
	github.com/natefinch/atomic v1.0.1
	golang.org/x/sys v0.38.0
	golang.org/x/text v0.31.0 // indirect
)

replace github.com/atomicedit/atomicedit => ../
