#!/usr/bin/env bash
# Two agents add lines to one file at the same time. With the hook every line is there at the end. Without it lines are lost.
#
#   examples/agents/two-agents.sh            needs what ./leasehold needs
#   HOOK=off examples/agents/two-agents.sh   the same without the hook
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/agent.sh"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/leasehold-example.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export LEASEHOLD_STORE=file:$scratch/leases LEASEHOLD_AGENT_STATE=$scratch/state
"$LEASEHOLD" store init > /dev/null
mkdir "$scratch/repo" && cd "$scratch/repo" && git init --quiet
echo start > notes.txt
lines=${LINES_PER_AGENT:-2}

agent() { # NAME
    session=session-of-$1
    # The agent thinks about its edit for a moment, which is when another one comes in between.
    between='sleep 0.2'
    local i
    for ((i = 1; i <= lines; i++)); do add_line notes.txt "line $i of $1"; done
    stop
}

agent alice &
agent bob &
wait
echo "The file has $(grep -c '^line' notes.txt) of $((2 * lines)) lines:"
cat notes.txt
[ "$(grep -c '^line' notes.txt)" -eq $((2 * lines)) ]
