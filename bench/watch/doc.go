// Package watch has a test of what a watcher of a directory sees of a commit.
package watch
