// Package atomicedit changes text files the way coding agents ask for it: all of a request happens, or nothing does.
//
// A request takes one way, whatever its format:
//
//	request ──Parse──▶ Plan ──Prepare──▶ Transaction ──Commit──▶ done
//
// [Parse] reads it and touches no file. [Prepare] works it out against a [Store], a directory ([OpenDir]) or texts in
// memory ([NewMem]), and only reads. The [Transaction] shows a [Report] with the diff. [Transaction.Commit] writes. A preview
// is a Transaction that nobody commits. [Run] does all but the parsing. For a text in memory, [Apply] and [Plan.Apply] do
// without a store.
//
// # Requests
//
// These formats are understood; each parser's documentation has its dialects.
//
//   - SEARCH/REPLACE blocks ([ParseBlocks]): markers of any length from five, both styles, file names above, inside fences or
//     as headings, line hints. [Plan.Blocks] prints them.
//   - V4A patches ([ParseV4A]): add, update, delete, move; stacked anchors; bare bodies; here-documents and fences around.
//     [Plan.V4A] prints them.
//   - Unified diffs ([ParseUnified]): with git's headers or without, with wrong line numbers and counts, without context.
//   - JSON of tool calls ([ParseJSON]): multi-edits, edits of several files, line edits, whole files, patches and blocks in
//     a string. [Tool.Parse] reads the calls of one tool only.
//
// A request that was cut off is refused with io.ErrUnexpectedEOF, and [Refusal.Partial] has what was complete. A host can so
// show progress while a reply streams in: parsing a prefix costs as much as its length, so parsing after every n-th part of a
// reply of m parts costs m/n times half the reply; after each doubling of its length, twice the reply.
//
// # Placing
//
// Requests are seldom quite right. An [Edit] is placed where its old text fits best, by the classes of [Fit], and what
// was overlooked becomes a [Note]. Only the lines that really change are replaced: a context line that the request
// spells differently stays as it is in the file. Where an edit fits in several places, evidence may decide: anchors, line
// numbers, the order of the edits. If it does not, the edit is refused. The place is never guessed.
//
// # Tool servers
//
// [Tools] has definitions of tools to offer to a model. A [Host] carries out their calls, from the arguments to the text for
// the model: reading, approval, the commit, warnings, and the lines to look at again. On a [Session] it refuses to change what
// the conversation has not read. Without a Host, [Transaction.Checked] is the report with the warnings.
//
// # Errors
//
// A [*Refusal] is for whoever made the request: it names the file and the edit, shows the nearest text and says what to do.
// Every problem of the request is in it, nothing was changed, and [errors.Is] tells the kinds apart. Any other error
// is about the machinery.
//
// # Promises
//
// Functions keep and change none of their arguments. A Transaction is immutable and needs no closing. It is committed only
// where every file is as it was: a second time it is refused with [ErrStale] or [fs.ErrExist], unless it was undone in
// between. Every Store is safe for concurrent use. Bytes outside the [Match] spans of an edit are the same before and
// after, line endings and encoding included. A commit compares every file with what was read, by content. To undo one,
// commit [Invert] of its changes.
//
// No input panics. Parsing is linear in the request. Applying is linear in the request and the text for edits of whole
// lines, and one scan of the text for every other edit and every anchor that is only a part of a line.
package atomicedit
