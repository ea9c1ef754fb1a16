#!/usr/bin/env bash
# Alice gets the permission to edit a file and is frozen before she writes, for longer than her lease lasts. Bob edits the file in
# the meantime. Alice wakes up and writes. The hook tells her that she came too late, and where Bob's version is. She puts it back.
#
#   examples/agents/frozen-agent.sh
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/agent.sh"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/leasehold-example.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export LEASEHOLD_STORE=file:$scratch/leases LEASEHOLD_AGENT_STATE=$scratch/state
"$LEASEHOLD" store init > /dev/null
mkdir "$scratch/repo" && cd "$scratch/repo" && git init --quiet
echo start > notes.txt

bob() (
    session=session-of-bob between=
    echo "Alice is frozen. Her lease ends, which an operator does here so that you need not wait for ten minutes."
    name=$("$LEASEHOLD" agent-hook status --json | sed -n 's/.*"name":"\([^"]*\)".*/\1/p')
    "$LEASEHOLD" --quiet cancel "$name" --reason 'alice is frozen'
    add_line notes.txt 'line of bob'
    stop
    echo "Bob has written:"
    sed 's/^/  /' notes.txt
)

session=session-of-alice
between=bob
read_file notes.txt
if write_file notes.txt "$content
line of alice"; then
    echo "Alice was not told that she came too late." >&2
    exit 1
fi
echo "Alice wakes up and writes. She is told:"
echo "  ${answer##*reason\":}"
between=
copy=${answer##*kept at }
copy=${copy%%. Put back*}
stop
read_file notes.txt
write_file notes.txt "$(cat "$copy")
line of alice"
stop
echo "Alice has put back what was missing:"
cat notes.txt
grep -qx 'line of bob' notes.txt && grep -qx 'line of alice' notes.txt
