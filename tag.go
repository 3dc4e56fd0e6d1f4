package atomicedit

// A Tag says what a line of the text has to be, so that an [Edit] is carried out only on the text that it was written for. A tag that does
// not fit is [ErrStale], and the message shows the lines as they are. The zero value is refused, because it names no line.
//
// If Hash is empty, the line has to read Text. Otherwise Hash has two to four letters, such as "QKVR", and Text is compared unless
// it is empty. Whitespace at the ends of lines does not count.
//
// Each letter of a hash stands for four bits, from Z for 0 to H for 15 in the order ZPMQVRWSNKTXJBYH, the highest bits first. The letters
// are the lowest bits of the xxHash32, with seed 0, of the line above, the line, and the line below, in UTF-8 with a NUL byte between them;
// a line that does not exist is empty. So a tag tells apart lines that read the same, and it no longer fits once a neighboring line has
// changed. With [Host].Tagged, views show four letters. Two letters may also be the lowest bits of the xxHash32 of the line alone; its seed
// is the number of the line if that has no letter and no digit. Other tools show these hashes, and the tags of an operation have to be all
// of one kind. A hash that is neither is [fs.ErrInvalid], because nothing can verify it.
type Tag struct {
	Line int    `json:"line"` // counted from 1, in the text that the op started from
	Hash string `json:"hash,omitempty"`
	Text string `json:"text,omitempty"` // the line, without its ending
}
