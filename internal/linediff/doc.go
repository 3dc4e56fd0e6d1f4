// Package linediff compares texts line by line.
//
// It has two subjects. A diff of two texts works on their bytes, and its cost stays close to linear for texts of any
// size. Pairing the lines of an edit ([AppendGroups], [GroupsOf], [Subsequence]) works on lists of lines that a person
// or a model wrote, and looks for the best pairing of a few lines.
package linediff
