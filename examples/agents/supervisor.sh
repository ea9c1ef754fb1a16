#!/usr/bin/env bash
# A supervisor takes a task from one agent and gives it to another. Whatever the first agent does from then on is refused with the
# supervisor's reason: a tool call, a write, a push, the completion of the task, a mail. The second agent goes on from the
# checkpoint of the first.
#
#   examples/agents/supervisor.sh
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/agent.sh"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/leasehold-example.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export LEASEHOLD_STORE=file:$scratch/leases LEASEHOLD_AGENT_STATE=$scratch/state LEASEHOLD GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=agent GIT_AUTHOR_EMAIL=agent@example GIT_COMMITTER_NAME=agent GIT_COMMITTER_EMAIL=agent@example
"$LEASEHOLD" store init > /dev/null
git init --quiet --bare "$scratch/site.git"
git init --quiet "$scratch/repo" && cd "$scratch/repo"
git commit --quiet --allow-empty --message start && git remote add origin "$scratch/site.git"
reason='the customer asked alice to do it'

# The first agent works on the task, and hands its environment to this script when it has come to page 40.
"$LEASEHOLD" --quiet run task-7 --key issue-7 --ttl 9s --guard "$scratch/page.html" --guard origin -- bash -c '
    "$LEASEHOLD" --quiet progress --checkpoint "page 40"
    env | grep "^LEASEHOLD_" > "$0.new" && mv "$0.new" "$0"
    sleep 60' "$scratch/environment" 2> /dev/null &
for ((i = 0; i < 600; i++)); do [ ! -e "$scratch/environment" ] || break; sleep 0.1; done

echo "The supervisor gives the task to somebody else: $reason"
grant=$("$LEASEHOLD" --quiet takeover task-7 --ttl 10m --holder supervisor --reason "$reason" --json | sed -n 's/.*"grant":"\([^"]*\)".*/\1/p')
wait || true

refused() { # WHAT COMMAND...
    local what=$1 said
    shift
    if said=$("$@" 2>&1); then
        echo "$what of the first agent was not refused" >&2
        exit 1
    fi
    case $said$answer in
        *"$reason"*) echo "  $what is refused with that reason" ;;
        *)
            echo "$what is refused without the reason: $said" >&2
            exit 1
            ;;
    esac
}

tool_call() {
    tell PreToolUse Read notes.txt || { echo "$answer" >&2; return 1; }
}

(
    while IFS= read -r line; do export "${line?}"; done < "$scratch/environment"
    session=session-of-the-first
    echo "The first agent goes on:"
    refused 'a tool call' tool_call
    refused 'a write' "$LEASEHOLD" write "$scratch/page.html" < /dev/null
    refused 'a push' "$LEASEHOLD" push origin HEAD:refs/heads/main
    refused 'the completion' "$LEASEHOLD" done
    refused 'a mail' "$LEASEHOLD" once mail-7 -- echo sent
)

echo "The second agent:"
"$LEASEHOLD" --quiet run task-7 --key issue-7 --grant "$grant" -- sh -c 'echo "  goes on from $LEASEHOLD_CHECKPOINT"'
"$LEASEHOLD" work issue-7 | sed 's/^/  /'
