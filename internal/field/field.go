// Package field has the names that tools give to the fields of a call. In comes a name, however it is spelled; out come
// the meanings that it may have, and what a message says of a field that cannot be carried out.
package field

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// A Set is what a field of a call means, whatever the call names it; or a set of such meanings.
type Set uint64

const (
	PathField Set = 1 << iota
	OldField
	NewField
	ExpectedField // text that the lines must have
	AllField
	CountField
	FirstField
	LastField
	AfterField  // a line to insert below
	BeforeField // a line to insert above
	LineField   // a line to insert at, which each tool counts in its own way, or near which the old text is
	RangeField  // the lines in which the old text is
	SpanField   // a range of a language server
	NthField    // which one of several places is meant
	TextField   // lines to put in the place of others
	PosField    // a line and its tag
	EndField    // the last line and its tag
	LinesField  // new lines, one by one
	ContentField
	OverwriteField
	AppendField
	EmptyField
	EndLineField
	LeadLineField
	EditsField
	FilesField
	ByNameField // files by their names
	OperationsField
	OperationField
	PatchField
	BlocksField
	PercentageField
	FromField
	ToField
	PathsField
	CommandField // a command line, or its words
	CwdField
	DryRunField
	VersionField
	ModeField
	ToolField // the name of the tool
	CodeField // the whole content of a file, of a tool that writes one
	NewNameField
	DeleteField

	NumFields = iota
)

// FieldTable has the names of each field, the usual one first, in the order of the fields. A call may spell them in any
// case, with underscores, hyphens or neither. If a name has several meanings, the shape of the call decides.
// A "*" at the end of a name stands for each of textNames.
var FieldTable = []fieldRow{
	{PathField, 't', listOf(`path file_path file filename target_file target_file_path target_filepath absolute_path
		absolute_file_path relative_path relative_file_path relative_workspace_path path_in_project full_path uri
		file_uri document_uri doc_path local_path file_name rel_path abs_path pathname target_path code_file p`)},
	{OldField, 't', listOf(`old_string old search find before needle original exact_old_text search_for search_term
		find_what text_to_search text_to_replace text_to_find string_to_replace content_to_replace match_text from_text
		from_string old_* original_* existing_* current_* previous_* before_* search_* find_* target_*`)},
	{NewField, 't', listOf(`new_string new replace replace_with replacement after repl updated modified to_text
		to_string with with_text replace_term new_* updated_* modified_* revised_* replace_* replacement_* replaced_*
		after_*`)},
	{ExpectedField, 't', listOf(`expected_old_text expected_text expected_content expected_lines expected_old_content
		expected_old_string`)},
	{AllField, 'f', listOf(`replace_all allow_multiple allow_multiple_occurrences allow_multiple_matches change_all all
		replace_all_occurrences replace_all_matches all_occurrences replace_every many global replace_global multiple
		replace_all_instances all_matches all_instances`)},
	{CountField, 'n', listOf(`expected_replacements expected_count expected_occurrences expected_matches
		expected_replacement_count num_replacements replace_count count`)},
	{FirstField, 'n', listOf(`from start_line start_line_number line_start first_line from_line begin_line
		first_replaced_line line_from start_line_one_indexed old_str_start_line_number line_number_start start line_hint
		near_line approximate_line`)},
	{LastField, 'n', listOf(`to end_line end_line_number line_end last_line to_line last_replaced_line line_to
		end_line_one_indexed end_line_one_indexed_inclusive end_line_inclusive old_str_end_line_number line_number_end
		end`)},
	{AfterField, 'n', listOf(`insert_line insert_line_number insert_after insert_after_line after_line`)},
	{BeforeField, 'n', listOf(`before_line insert_before insert_before_line`)},
	{LineField, 'n', listOf(`line line_number at_line`)},
	{RangeField, 'a', listOf(`line_range lines_range range_of_lines`)},
	{SpanField, 'o', listOf(`range`)},
	{NthField, 'a', listOf(`occurrence occurrence_number occurrence_index nth nth_occurrence match_number
		match_index`)},
	{TextField, 't', listOf(`content insert_text text new_string new_str new_text new_content new_code new_lines
		contents inserted_text text_to_insert lines_to_insert code_to_insert replacement replacement_text replace_with
		replace replacement_content lines`)},
	{PosField, 't', listOf(`pos`)},
	{EndField, 't', listOf(`end`)},
	{LinesField, 'a', listOf(`lines`)},
	{ContentField, 't', listOf(`content file_text contents file_content file_contents code_content text new_file_content
		new_contents full_content whole_content complete_content data file_body the_content initial_content
		initial_text initial_contents complete_file_contents complete_file_content full_file_contents full_file_content
		full_text full_code complete_code whole_text new_file_contents new_file_text file_code`)},
	{OverwriteField, 'f', listOf(`overwrite rewrite allow_overwrite overwrite_existing can_overwrite
		replace_existing`)},
	{AppendField, 'f', listOf(`append`)},
	{EmptyField, 'f', listOf(`empty_file is_empty`)},
	{EndLineField, 'f', listOf(`add_last_line_newline trailing_newline add_trailing_newline ensure_trailing_newline
		add_last_newline`)},
	{LeadLineField, 'f', listOf(`leading_newline add_leading_newline`)},
	{EditsField, 'l', listOf(`edits replacements replacement_chunks chunks diffs file_diffs changes modifications
		str_replace_entries insert_line_entries edit_list edit_operations text_edits multi_edits search_replace_blocks
		updates substitutions patches hunks pairs edit_blocks edit change replacement replace substitution
		replacement_pairs blocks replace_blocks replacement_blocks edit_chunks change_list diff_blocks
		search_and_replace_blocks line_edits edits_json e`)},
	{FilesField, 'l', listOf(`files file_edits file_changes file_list`)},
	{ByNameField, 'o', listOf(`files file_edits file_changes file_list changes new_files created_files files_to_create
		files_to_write file_contents files_content files_contents contents`)},
	{OperationsField, 'l', listOf(`operations ops file_operations actions`)},
	{OperationField, 'o', listOf(`operation`)},
	{PatchField, 't', listOf(`patch_text input patch diff diff_text diff_content patch_content patch_string unified_diff
		udiff blocks search_replace_blocks search_and_replace_blocks diff_blocks the_diff the_patch block_content
		patch_body diff_body diff_str patch_str git_diff merge_diff git_merge_diff`)},
	{BlocksField, 't', listOf(`text_or_search_replace_blocks`)},
	{PercentageField, 'n', listOf(`percentage_to_change`)},
	{FromField, 't', listOf(`from old_path source source_path src source_file from_path old_file_path original_path
		original_file_path current_path move_from rename_from`)},
	{ToField, 't', listOf(`to new_path destination destination_path dest dest_path dst destination_file to_path
		new_file_path move_to move_path rename_to rename_file_path move rename`)},
	{PathsField, 'l', listOf(`file_paths paths`)},
	{CommandField, 'a', listOf(`command cmd commands script command_line`)},
	{CwdField, 't', listOf(`cwd workdir working_directory working_dir work_dir current_directory
		current_working_directory`)},
	{DryRunField, 'f', listOf(`dry_run preview preview_only is_dry_run simulate check_only validate_only what_if
		test_only`)},
	{VersionField, 't', listOf(`base_hash base_version expected_hash base_sha256 expected_version file_hash`)},
	{ModeField, 't', listOf(`command action type mode op operation edit_mode edit_type kind operation_type subtool
		sub_command subcommand`)},
	{ToolField, 't', listOf(`name tool tool_name function function_name cb_tool_name`)},
	{CodeField, 't', listOf(`code source source_code new_content new_contents new_text new_code updated_content
		updated_text updated_code`)},
	{NewNameField, 't', listOf(`new_name new_filename new_file_name`)},
	{DeleteField, OnlyTrue, listOf(`delete`)},
}

// A fieldRow has the names of a field, and the JSON that it holds: text, number, flag, list, object, any.
type fieldRow struct {
	Field Set
	kind  byte
	names listOf
}

func (r fieldRow) Names() (names []string) {
	for _, name := range r.names.Words() {
		begin, isText := strings.CutSuffix(name, "*")
		ends := []string{""}
		if isText {
			ends = textNames.Words()
		}
		for _, end := range ends {
			names = append(names, begin+end)
		}
	}
	return names
}

// textNames are what a piece of text may be called.
const textNames = listOf(`string str text content contents code lines value snippet block section substring fragment
	body`)

// Anywhere has the fields that a call of any shape may have.
const Anywhere = CwdField | DryRunField | VersionField | ModeField | ToolField

// aboutWords end the names of fields that say something about a call, such as change_summary.
var aboutWords = []string{"explanation", "description", "summary", "reasoning", "rationale", "justification", "thought",
	"thoughts"}

// HarmlessFields are fields that mean nothing for an edit, as those whose names end in one of aboutWords do.
func HarmlessFields() []string {
	return slices.Concat(aboutWords, listOf(`reason instruction instructions instruction_reminder instructions_reminder
		tool_action title thinking comment comments note notes intent purpose goal message commit commit_message
		is_artifact security_risk risk task_progress progress task_id id call_id tool_call_id tool_use_id request_id
		session_id thread_id conversation_id message_id trace_id run_id artifact_id uuid timestamp skill_token language
		code_language code_markdown_language complexity line_count lines_count target_lint_error_ids artifact_metadata
		wait_for_previous_tools enable_linting modified_by_user ai_proposed_content capture_logs_backend
		capture_logs_frontend status metadata meta confidence blocking safe_to_auto_run should_auto_run
		requires_approval is_background brief summary_of_changes user_message chat_id agent model priority step_number
		show_diff return_diff verbose needs_approval cache_control create_directories create_dirs create_parents mkdir
		make_dirs create_parent_directories yield_time_ms max_output_tokens max_output_length timeout timeout_ms
		timeout_seconds shell login tty env user grant_root turn_id auto_approved started_at_ms environment
		with_escalated_permissions sandbox_permissions prefix_rule tab_identifier tab_id cb_easp
		origin project_path project_root workspace workspace_id run_lint cross_profile backup
		create_backup backup_before_delete atomic`).Words())
}

// valuedFields are fields whose values matter. With one of these, even one of HarmlessFields means something, and any
// other field means nothing for an edit.
var valuedFields = []struct{ names, values listOf }{
	{listOf(`sudo regex is_regex use_regex regexp ignore_case case_insensitive whole_word whole_words match_whole_word
		recursive is_recursive multiline fuzzy force create_if_missing create_if_not_exists ignore_if_exists delete
		append is_base64 diff word_boundary trim relative_line_numbers force_remove_emojis`),
		listOf(`false`)},
	{listOf(`case_sensitive match_case confirm_delete`), listOf(`true`)},
	{listOf(`encoding charset`), listOf(`utf-8 utf8 auto`)},
	{listOf(`offset`), listOf(`0`)},
	{listOf(`permissions`), listOf(`644 0644 rw-r--r--`)},
	{listOf(`status`), listOf(`incomplete in_progress failed error cancelled canceled rejected declined denied
		skipped reverted undone`)},
	{listOf(`commit`), listOf(`false`)},
}

// PartFields are fields that mean something only in a call that is about all of a file: with one of the values, if
// there are any. They have what the refusal says of them.
var PartFields = []struct {
	Names, values listOf
	say           string
}{
	{listOf(`index sequence step`), "", "could name a part of the file, and the call is about all of it: " +
		"leave the field out, or send the exact old text of the part and its new text"},
	{listOf(`status`), listOf(`deleted removed`), "could say that the file is deleted, and it has a text: " +
		"leave the field out, or call a tool such as \"delete_file\""},
}

// OfNotebook is what the refusal says of a call that edits a cell of a notebook.
const OfNotebook = "belongs to an edit of a cell of a notebook, which is not carried out: " +
	"edit the text of the .ipynb file instead, with exact old and new text"

// RefusedFields are fields of calls that cannot be carried out, and what the refusal says of them.
var RefusedFields = []struct {
	Names listOf
	Say   string
}{
	{listOf(`notebook_path target_notebook notebook cell_id cell_idx cell_index cell_number new_source new_code
		cell_type cell_language is_new_cell`), OfNotebook},
	{listOf(`code_edit code code_changes changes update_snippet`),
		"holds a sketch of the new code, which does not say what lines it replaces: " +
			"send the exact old text and the new text instead"},
	{listOf(`regex is_regex use_regex regexp pattern search_pattern search_regex find_regex`),
		"asks for a regular expression, which is not carried out: send the exact old text instead"},
	{listOf(`name_path symbol symbol_name name_path_pattern symbol_path`),
		"names a symbol, which only a language server can find: " +
			"send the exact old text and the new text instead"},
	{listOf(`paths_include_glob paths_exclude_glob glob file_pattern file_glob include include_pattern exclude`),
		"selects files by a pattern: name each file, with its edits"},
	{listOf(`case_sensitive match_case ignore_case case_insensitive`),
		"asks to ignore case, which is not carried out: send the old text as the file has it"},
	{listOf(`encoding content_encoding charset is_base64`),
		"says that the text is encoded, which is not carried out: send the text itself, as UTF-8"},
}

// OnlyTrue is the kind of a flag that means something only where it is true.
const OnlyTrue = 'y'

// A listOf is a list of words.
type listOf string

func (l listOf) Words() []string { return strings.Fields(string(l)) }

// A Table is made when it is first asked for. A variable that has it from the start would bring it into every program.
type Table[T any] struct {
	Make  func() T
	once  sync.Once
	table T
}

// Get returns the table. After the first time, its cost is that of a [sync.Once].
func (t *Table[T]) Get() T { return t.Of(t.Make) }

// Of is Get of a table without its Make: a variable must not name, with its initial value, what uses it.
func (t *Table[T]) Of(create func() T) T {
	t.once.Do(func() { t.table = create() })
	return t.table
}

// TableOf returns a table of words from lists of them by what they mean.
func TableOf[V comparable](lists map[V]string) map[string]V {
	table := map[string]V{}
	for v, list := range lists {
		for _, word := range strings.Fields(list) {
			table[word] = v
		}
	}
	return table
}

// ArgumentNames are the fields with the arguments of a call: an object, a string with one, or a text such as a patch.
var ArgumentNames = []string{"arguments", "input", "args", "parameters", "params", "tool_input", "toolInput",
	"tool_args", "tool_arguments", "tool_kwargs", "kwargs", "action_input", "next_tool_args", "rawInput", "raw_input",
	"request"}

// pairs are words that take each other's place in the names of two fields that go together.
var pairs = [][2]string{{"old", "new"}, {"search", "replace"}, {"find", "replace"}, {"before", "after"},
	{"target", "replacement"}, {"search", "replacement"}, {"needle", "repl"}, {"original", "updated"}, {"end", "start"}}

// siblings has the names that fields have beside some others.
var siblings = []struct {
	beside string
	field  Set
	name   string
}{
	{"command", ContentField, "file_text"}, {"command", OldField, "old_str"}, {"command", NewField, "new_str"},
	{"command", TextField, "insert_text"}, {"type", PatchField, "diff"}, {"mode", PatchField, "patch"},
}

// NameBeside returns the name of f that goes with one of some others, "" if none is known.
func (f Set) NameBeside(names []string) string {
	for _, name := range names {
		lower := strings.ToLower(name)
		for _, pair := range pairs {
			for i, word := range pair {
				at, other := strings.Index(lower, word), pair[1-i]
				if at < 0 || len(lower) != len(name) {
					continue
				}
				if name[at] != word[0] {
					other = strings.ToUpper(other[:1]) + other[1:]
				}
				if swapped := name[:at] + other + name[at+len(word):]; MeaningOf(swapped).Fields&f != 0 {
					return swapped
				}
			}
		}
	}
	for _, s := range siblings {
		if s.field == f && slices.Contains(names, s.beside) {
			return s.name
		}
	}
	return ""
}

// NormalName returns the name of a field without what spellings differ in.
func NormalName(name string) string {
	var buf [64]byte // so that no memory is needed for most names
	normal := appendNormal(buf[:0], name)
	if string(normal) == name {
		return name
	}
	return string(normal)
}

// appendNormal has many callers, and is not inlined, so that programs stay small.
//
//go:noinline
func appendNormal(buf []byte, name string) []byte {
	for _, b := range []byte(name) {
		switch {
		case b == '_', b == '-', b == ' ':
			continue
		case 'A' <= b && b <= 'Z':
			b += 'a' - 'A'
		}
		buf = append(buf, b)
	}
	return buf
}

// A Meaning is what a name may stand for.
type Meaning struct {
	Fields   Set
	Kinds    map[byte]Set // those that it may stand for where its value is of a kind
	Harmless bool         // it means nothing for an edit
	Values   []string     // with one of which it is the other way round
	Refused  string       // why a call with it cannot be carried out
	OfPart   string       // why one about all of a file cannot, where the value is one of Parts or they are none
	Parts    []string
}

// Meanings has every name, normalised.
var Meanings = Table[map[string]*Meaning]{Make: func() map[string]*Meaning {
	all := map[string]*Meaning{}
	each := func(names []string, note func(m *Meaning)) {
		for _, name := range names {
			name = NormalName(name)
			if all[name] == nil {
				all[name] = &Meaning{Kinds: map[byte]Set{}}
			}
			note(all[name])
		}
	}
	for _, row := range FieldTable {
		each(row.Names(), func(m *Meaning) {
			m.Fields |= row.Field
			m.Kinds[row.kind] |= row.Field
		})
	}
	each(HarmlessFields(), func(m *Meaning) { m.Harmless = true })
	for _, row := range valuedFields {
		each(row.names.Words(), func(m *Meaning) { m.Values = row.values.Words() })
	}
	for _, row := range PartFields {
		each(row.Names.Words(), func(m *Meaning) { m.Harmless, m.OfPart, m.Parts = true, row.say, row.values.Words() })
	}
	for _, row := range RefusedFields {
		each(row.Names.Words(), func(m *Meaning) { m.Refused = row.Say })
	}
	return all
}}

// NoMeaning is the meaning of an unknown name, and about that of one which ends in one of aboutWords.
var NoMeaning, about = &Meaning{}, &Meaning{Harmless: true}

func MeaningOf(name string) *Meaning {
	var buf [64]byte // so that no memory is needed for most names
	normal := appendNormal(buf[:0], name)
	if m := Meanings.Get()[string(normal)]; m != nil {
		return m
	}
	for _, word := range aboutWords {
		if strings.HasSuffix(string(normal), word) && !strings.ContainsAny(name, "./\\") {
			return about
		}
	}
	return NoMeaning
}

func (f Set) row() fieldRow { return FieldTable[bits.TrailingZeros64(uint64(f))] }

// Names returns the names of f, first its Name.
func (f Set) Names() []string { return f.row().Names() }

// Name returns the name of f for a call that gives no hint of another.
func (f Set) Name() string {
	name, _, _ := strings.Cut(string(f.row().names), " ")
	return name
}

func (f Set) IsList() bool { return f.row().kind == 'l' }

// IsHarmless reports whether a field that means m means nothing for an edit, with a value.
func (m *Meaning) IsHarmless(value string) bool { return m.Harmless != has(m.Values, value) }

// MayBeOfPart reports whether a field that means m says, with a value, that its call may be about a part of a file.
func (m *Meaning) MayBeOfPart(value string) bool {
	return m.OfPart != "" && (len(m.Parts) == 0 || has(m.Parts, value))
}

func has(values []string, value string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, value) })
}
