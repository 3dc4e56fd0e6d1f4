// Package atomicedit changes text files the way coding agents ask for it: a request happens completely or not at all.
//
// Every request takes the same path, whatever its format:
//
//	request ──Parse──▶ Plan ──Prepare──▶ Transaction ──Commit──▶ done
//
// [Parse] reads the request and touches no file. [Prepare] works the plan out against a [Store], which is a directory ([OpenDir])
// or texts in memory ([NewMem]), and only reads. The [Transaction] shows a [Report] with the diff and warnings.
// [Transaction.Commit] writes. A preview is a Transaction that nobody commits. [Run] does everything except the parsing. For a
// single text in memory, [Apply] and [Plan.Apply] need no store.
//
// A [Plan] and a list of [Change] are plain data that survives JSON: keep them, send them, compare them.
//
// # Requests
//
// These formats are understood; the documentation of each parser lists its dialects.
//
//   - SEARCH/REPLACE blocks ([ParseBlocks]): markers of five or more characters, in both styles; file names above them, inside
//     fences or as headings; line hints. [Plan.Blocks] prints them.
//   - V4A patches ([ParseV4A]): add, update, delete, move; stacked anchors; bodies without an envelope; here-documents and fences
//     around the patch. [Plan.V4A] prints them.
//   - Unified diffs ([ParseUnified]): with git's headers or without, with wrong line numbers and counts, without context.
//     [ParseUnifiedStrip] removes leading parts from their names, as "patch -p" does. [Plan.Unified] prints them.
//   - Hashlines ([ParseHashline]): edits of lines by their numbers, and the tags of files.
//   - JSON of tool calls ([ParseJSON]): multi-edits, edits of several files, line edits, whole files, and patches and blocks in a
//     string, under the field names of the established tools, alone or in the messages of model APIs. [ParseCall] reads the
//     arguments of a call by the name of its tool, and [Tool.Parse] the calls of one tool only. [Plan.JSON] prints a plan as it is.
//   - Calls of tools that a model writes as tags in its text ([ParseXML]): a tag for each tool and parameter, named parameters, JSON
//     in a tag.
//   - Commands of SWE-agent with line numbers, "edit 2:3" to "end_of_edit" ([Parse]).
//   - JSON of language servers ([ParseLSP]): lists of text edits and workspace edits. [LSP] prints the changes of a transaction.
//
// A request that was cut off is refused with [io.ErrUnexpectedEOF], and [Refusal.Partial] has the part that was complete, so a host
// can show how far it got. Parsing a prefix costs time linear in its length. A [Stream] reads a request as it arrives, for previews.
//
// # Placing
//
// Requests are seldom exactly right. An [Edit] goes where its old text fits best, by the classes of [Fit], and a [Note] says what
// was ignored to make it fit. Only lines that really change are replaced: a context line that the request spells differently stays
// as it is in the file. Where an edit fits in several places, evidence may decide: anchors, line numbers, the order of the edits.
// Otherwise the edit is refused. The place is never guessed. An edit by line numbers goes where they say; a [Tag] of a line proves
// that they are still right.
//
// # Tool servers
//
// [Tools] returns definitions of tools to offer to a model. A [Host] carries out their calls, from the arguments to the text for
// the model: reading, approval, the commit, warnings, and the lines to look at again. On a [Session] it refuses to change files
// that the conversation has not read. [Session.State] outlives the process. [Options] may have a formatter and checks, which see each
// file before anybody approves it.
//
// # Stores of your own
//
// [Store] documents the whole contract, and package storetest checks an implementation against it. A store can offer more through
// the optional interfaces [Guard], [Respeller], [SeenReader] and [Unwrapper].
//
// # Errors
//
// A [*Refusal] is for whoever made the request. It names the file and the edit, shows the nearest text and says what to do. It has
// every problem of the request, and nothing was changed. [errors.Is] tells the kinds of problems apart. Any other error is about
// the machinery: a disk, a store, a context.
//
// # Promises
//
// Functions neither keep nor modify their arguments. A Transaction is immutable and needs no closing. It can be committed only
// while every file is as it was when it was prepared; a second commit is refused with [ErrStale] or [fs.ErrExist], unless the first
// was undone in between. Every Store is safe for concurrent use. Bytes outside the [Match] spans of an edit are the same before and
// after, line endings and encoding included. A commit compares every file with the content that was read. To undo a commit, commit
// [Invert] of its changes; [ReportOf] shows them.
//
// No input panics, nor does a nil [Dir], [Mem], [Session], [Host], [Transaction] or [Report]; a nil context does, as in the
// standard library. Parsing is linear in the request. Applying is linear in the request and the text for all edits of whole lines
// together, and for all edits by ranges; every other edit, and every anchor that is only part of a line, adds one scan of the text.
package atomicedit
