// Package atomicedit changes text files the way coding agents ask for it, all of it or none of it.
package atomicedit
