#!/usr/bin/env bash
# Drives toolserver with a foreign client, the command line of the MCP Inspector: lists the tools, and makes a good call, a
# refused one and its correction with every tool. Needs go, npm and node; every step is bounded in time.
#
# Exit status 0: all as expected; 1: not; 75: the Inspector cannot be installed here.
set -euo pipefail
cd "$(dirname "$0")"

inspector=@modelcontextprotocol/inspector@${INSPECTOR_VERSION:-2.12.0}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
command -v npm >/dev/null && command -v node >/dev/null || { echo "skipped: no npm or node here"; exit 75; }
timeout 300 npm install --silent --no-audit --no-fund --prefix "$tmp/npm" "$inspector" >"$tmp/log" 2>&1 ||
	{ cat "$tmp/log"; echo "skipped: $inspector cannot be installed here"; exit 75; }
go build -o "$tmp/toolserver" .

mkdir "$tmp/root"
printf 'one\ntwo\nthree\n' >"$tmp/root/a.txt"

# Each run of the Inspector is a connection of its own, which has read nothing.
inspect() {
	timeout 60 node "$tmp/npm/node_modules/.bin/mcp-inspector" --cli "$tmp/toolserver" -root "$tmp/root" -structured "$@" 2>&1 || true
}

failed=0
# check NAME TEXT OUTPUT: the output must have the text.
check() {
	if grep -qF -- "$2" <<<"$3"; then
		echo "ok    $1"
	else
		echo "WRONG $1: expected $2 in"
		echo "$3"
		failed=1
	fi
}
# call NAME TEXT TOOL ARG...: a call of the tool must answer with the text.
call() {
	local name=$1 text=$2 tool=$3
	shift 3
	local args=()
	for arg; do args+=(--tool-arg "$arg"); done
	check "$tool: $name" "$text" "$(inspect --method tools/call --tool-name "$tool" "${args[@]}")"
}

tools=$(inspect --method tools/list)
for tool in list_directory multi_edit apply_patch text_editor multi_edit_file file_write_or_edit str_replace_editor; do
	check "$tool is listed" "\"name\": \"$tool\"" "$tools"
done

call "what was not read is refused" '"code": "unread"' multi_edit file_path=a.txt 'edits=[{"old_string":"one","new_string":"1","replace_all":true}]'
call "good" '"status": "done"' multi_edit file_path=a.txt 'edits=[{"old_string":"one","new_string":"1"}]'
call "refused" '"status": "refused"' multi_edit file_path=a.txt 'edits=[{"old_string":"tow","new_string":"2"}]'
call "corrected" '"status": "done"' multi_edit file_path=a.txt 'edits=[{"old_string":"two","new_string":"2"}]'

call "good" 'a.txt' list_directory path=.
call "refused" '"status": "refused"' list_directory path=..
call "unknown argument" 'unknown field' list_directory depth=2

call "good" '"status": "done"' apply_patch input=$'*** Begin Patch\n*** Add File: p.txt\n+one\n+two\n*** End Patch'
call "refused" '"code": "exist"' apply_patch input=$'*** Begin Patch\n*** Add File: p.txt\n+three\n*** End Patch'
call "corrected" '"status": "done"' apply_patch input=$'*** Begin Patch\n*** Update File: p.txt\n@@\n two\n+three\n*** End Patch'

call "good" '"status": "shown"' text_editor action=read path=a.txt line_from=2 line_to=3
call "refused" '"code": "unread"' text_editor action=patch path=a.txt 'edits=[{"from":3,"to":3,"content":"3"}]'
call "corrected" '"status": "done"' text_editor action=patch path=a.txt patch_text=$'@@\n 2\n-three\n+3'

call "good" '"status": "done"' multi_edit_file 'operations=[{"type":"create","path":"m.txt","content":"one\n"},{"type":"move","from":"p.txt","to":"q.txt"}]'
call "refused" '"code": "invalid"' multi_edit_file path=m.txt 'edits=[{"old_string":"","new_string":"x"}]'
call "corrected" '"status": "done"' multi_edit_file path=m.txt 'edits=[{"old_string":"one","new_string":"1"}]'

call "good" '"status": "done"' file_write_or_edit file_path=w.txt percentage_to_change=100 text_or_search_replace_blocks=$'one\ntwo\n'
call "refused" '"code": "syntax"' file_write_or_edit file_path=w.txt percentage_to_change=10 text_or_search_replace_blocks=$'<<<<<<< SEARCH\none\n'
call "corrected" '"status": "done"' file_write_or_edit file_path=w.txt percentage_to_change=10 text_or_search_replace_blocks=$'<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n'

call "good" '"status": "shown"' str_replace_editor command=view path=w.txt 'view_range=[1,-1]'
call "refused" '"code": "exist"' str_replace_editor command=create path=w.txt file_text=x
call "corrected" '"status": "done"' str_replace_editor command=str_replace path=w.txt old_str=two new_str=TWO

check "nothing is lost" "1 2 3 1 TWO 1 one two three" "$(cat "$tmp/root/a.txt" "$tmp/root/w.txt" "$tmp/root/m.txt" "$tmp/root/q.txt" | xargs)"
exit $failed
