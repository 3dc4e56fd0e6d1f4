module github.com/atomicedit/atomicedit/bench

go 1.25.5

require (
	github.com/atomicedit/atomicedit v0.0.0
	github.com/atomicedit/atomicedit/stores/git v0.0.0
	github.com/atomicedit/atomicedit/stores/sql v0.0.0
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/bluekeyes/go-gitdiff v0.9.0
	github.com/hexops/gotextdiff v1.0.3
	github.com/jackc/pgx/v5 v5.12.0
	github.com/pmezard/go-difflib v1.0.0
)

require (
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/ncruces/go-strftime v1.0.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	golang.org/x/sync v0.22.0 // indirect
	modernc.org/libc v1.74.4 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.11.0 // indirect
	modernc.org/sqlite v1.56.0 // indirect
)

require (
	github.com/fsnotify/fsnotify v1.10.1
	github.com/google/go-cmp v0.7.0
	github.com/google/renameio/v2 v2.0.2
	github.com/hanwen/go-fuse/v2 v2.12.1
	github.com/natefinch/atomic v1.0.1
	golang.org/x/sys v0.47.0
	golang.org/x/text v0.41.0
)

replace github.com/atomicedit/atomicedit => ../

replace github.com/atomicedit/atomicedit/stores/git => ../stores/git

replace github.com/atomicedit/atomicedit/stores/sql => ../stores/sql
