package patch

// Grammar is the language of V4A patches as Plan.V4A prints them, which is the well-formed part of what Parse reads. A
// chunk with others below it must not end in a line that a diff might have there.
const Grammar = `start: "*** Begin Patch" LF section+ "*** End Patch" LF?

section: "*** Add File: " PATH LF ("+" TEXT? LF)*
       | "*** Delete File: " PATH LF
       | "*** Update File: " PATH LF update
update: move chunks?
      | chunks
move: "*** Move to: " PATH LF

chunks: chunk* anchor+ line+ end_of_file?
chunk: anchor+ line* (last_line | line end_of_file)
anchor: "@@" (" " TEXT)? LF
end_of_file: "*** End of File" LF

line: column TEXT? LF no_newline*
last_line: kept_or_removed TEXT? LF no_newline*
         | "+" UNLIKE_DIFF? LF no_newline*
         | "+" TEXT? LF no_newline+
column: " " | "-" | "+"
kept_or_removed: " " | "-"
no_newline: "\\ No newline at end of file" LF

PATH: /[^ \t\n\v\f\r]([^\n]*[^ \t\n\v\f\r])?/
TEXT: /[^\n]+/
UNLIKE_DIFF: /([^+\n]|\+[^+\n]|\+\+[^ \n])[^\n]*|\+\+?/
LF: /\n/
`
