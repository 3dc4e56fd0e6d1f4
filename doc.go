// Package atomicedit carries out the edits that coding agents ask for, each request completely or not at all.
//
// Every request takes the same path, whatever its format:
//
//	request ──Parse──▶ Plan ──Prepare──▶ Transaction ──Commit──▶ done
//
// [Parse] reads a request in any known format and touches no file; the usual ones also have parsers of their own.
// [Prepare] works the plan out against a [Store], which is a directory ([OpenDir]), several ([Dir.Add]) or texts in
// memory ([NewMem]), and only reads. The [Transaction] has a [Report] with the diff and warnings, and
// [Transaction.Commit] writes. A preview is a Transaction that nobody commits. [Run] prepares and commits. For a
// single text, [Apply] and [Plan.Apply] need no store. A [Stream] reads a request as it arrives, for previews. A
// [Host] carries out the tool calls of a model, from the arguments to the text of the answer; [Tools] has definitions
// to offer. A [Session] remembers what the model has seen, and carries its edits over to files that have changed
// since.
//
// # Placing
//
// Requests are seldom exactly right. An [Edit] goes where its old text fits best, by the classes of [Fit], and a [Note]
// says what was ignored to make it fit. Only lines that really change are replaced. If an edit fits in several places,
// evidence may decide: anchors, line numbers, the order of the edits. Otherwise the edit is refused, not guessed.
//
// # Errors
//
// A [*Refusal] is for whoever made the request. It names the file and the edit, shows the nearest text and says what to
// do. Nothing was changed. [errors.Is] tells the kinds of problems apart; a request that was cut off is
// [io.ErrUnexpectedEOF]. Any other error comes from the machinery: a disk, a store, a context.
//
// # Promises
//
// A [Plan] and a list of changes ([Change]) are plain data and survive JSON. Functions neither keep nor modify their
// arguments. A Transaction is immutable, and can be committed only while every file is as it was when it was prepared.
// Otherwise the error is [ErrStale] or [fs.ErrExist]. To undo a commit, commit [Rebase] of [Invert] of its changes.
// Every Store is safe for concurrent use. Bytes outside the [Match] spans of an edit stay as they are. No input panics,
// nor does a nil [Dir], [Mem], [Session], [Host], [Transaction] or [Report]. Parsing is linear.
package atomicedit
