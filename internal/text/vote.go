package text

import (
	"cmp"
	"slices"
)

// Vote returns the one-to-one alignment of some keys with the lines of the text that gets the most votes: its offset in
// x.Starts, its score, and its lead over the next. Each line votes for the places where the text has it, unless it is
// everywhere. Blank lines do not count.
func (x *Index) Vote(keys []string) (offset int, score, lead float64) {
	const everywhere = 64
	votes := map[int]float64{}
	rank := 0
	for _, key := range keys {
		if key == "" {
			continue
		}
		weight := 0.25
		if Substantial(key) {
			weight = 1
		}
		if places := x.Lines(key); len(places) <= everywhere {
			for _, place := range places {
				votes[int(place)-rank] += weight
			}
		}
		rank++
	}
	second := 0.0
	for o, v := range votes {
		if v > score || v == score && o < offset {
			offset, score, second = o, v, max(second, score)
		} else {
			second = max(second, v)
		}
	}
	return offset, score, score - second
}

// A Clue is a word that helps to find the lines that have it.
type Clue struct {
	word string
	rank int // of the first line that has it, among the lines that are not blank
}

// Clues returns the longest words of folded lines, the longest first, and at most that many.
func Clues(keys []string, most int) (all []Clue) {
	seen := map[string]bool{}
	rank := 0
	for _, key := range keys {
		if key == "" {
			continue
		}
		for _, word := range Tokens(Clip(key, 1000)) {
			if len(word) >= 3 && !seen[word] {
				seen[word] = true
				all = append(all, Clue{word, rank})
			}
		}
		rank++
	}
	slices.SortFunc(all, func(a, b Clue) int {
		return cmp.Or(cmp.Compare(len(b.word), len(a.word)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.word, b.word))
	})
	return all[:min(len(all), most)]
}

// VoteByClues is [Index.Vote] by the places of words in the text of x, which may be within its lines: the longer a
// word, the more it counts, unless it is everywhere. It reports false if there are no such places.
func (x *Index) VoteByClues(t Text, clues []Clue) (offset int, ok bool) {
	const everywhere = 32
	votes := map[int]int{}
	for _, c := range clues {
		places := t.Occurrences(c.word, everywhere+1)
		if len(places) > everywhere {
			continue
		}
		for _, s := range places {
			below, _ := slices.BinarySearch(x.Starts, s.Start+1)
			votes[below-1-c.rank] += len(c.word)
		}
	}
	best := 0
	for o, v := range votes {
		if v > best || v == best && o < offset {
			offset, best, ok = o, v, true
		}
	}
	return offset, ok
}
