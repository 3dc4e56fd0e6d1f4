#!/bin/bash -eu
# Builds the fuzz targets of the root module for libFuzzer. ClusterFuzzLite runs it in the image of the Dockerfile beside it.
go get github.com/AdamKorcz/go-118-fuzz-build/testing
grep -rl --include='*_test.go' '^func Fuzz' . | grep -v -e ^./examples/toolserver -e ^./stores | while read -r file; do
	grep -oE '^func Fuzz\w+' "$file" | while read -r _ target; do
		compile_native_go_fuzzer "$(go list "./$(dirname "$file")")" "$target" "$target"
	done
done
