#!/usr/bin/env bash
# Two agents maintain one page in one git repository. Run A reads edition 1 and is frozen in the middle of its work, like a process
# on a laptop whose lid is closed. Some seconds later run B publishes edition 2. Then A wakes up and pushes its old edition.
#
# The script does this twice: with 'git push', and with 'leasehold push' under a lease. It shows the repository's history after each.
#
#   examples/two-agents-one-repository.sh          takes about 20 seconds, needs git and what ./leasehold needs
#   APART=20 examples/two-agents-one-repository.sh starts B 20 seconds after A
set -euo pipefail
export APART=${APART:-7} TTL=${TTL:-5s}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export LEASEHOLD=${LEASEHOLD:-$here/../leasehold}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/leasehold-example.XXXXXX")
export scratch LEASEHOLD_STORE=file:$scratch/leases
export GIT_CONFIG_GLOBAL=$scratch/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --file "$GIT_CONFIG_GLOBAL" init.defaultBranch main

tree() { # PID -> the process and all its descendants
    local child
    for child in $(pgrep -P "$1"); do tree "$child"; done
    echo "$1"
}

pid_a=
clean_up() {
    if [ -n "$pid_a" ]; then kill -KILL $(tree "$pid_a") 2> /dev/null || true; fi
    rm -rf "$scratch"
}
trap clean_up EXIT

await() { # FILE
    local i
    for ((i = 0; i < 600; i++)); do [ ! -e "$1" ] || return 0; sleep 0.1; done
    echo "timed out waiting for ${1##*/}" >&2
    return 1
}

# An agent reads, waits, writes, and pushes on top of the current state of the branch.
cat > "$scratch/agent" << 'AGENT'
#!/usr/bin/env bash
set -eu
run=$1 push=$2
edition=$(cat "$scratch/news")
git clone --quiet "$scratch/site.git" "$scratch/clone-$run" 2> /dev/null
cd "$scratch/clone-$run"
git config user.name "run $run" && git config user.email "$run@example"
echo $$ > "$scratch/$run.pid.new" && mv "$scratch/$run.pid.new" "$scratch/$run.pid"
while [ -e "$scratch/$run.thinks" ]; do sleep 0.1; done
echo "edition $edition" > page
git add page && git commit --quiet --message "edition $edition, by run $run"
git pull --quiet --rebase --strategy-option theirs origin main
if $push origin main 2> "$scratch/$run.said"; then code=0; else code=$?; fi
sed "s/^/      $run reads: /" "$scratch/$run.said"
echo $code > "$scratch/$run.code.new" && mv "$scratch/$run.code.new" "$scratch/$run.code"
exit $code
AGENT
chmod +x "$scratch/agent"

new_repository() {
    rm -rf "$scratch"/site.git "$scratch"/clone-* "$scratch"/?.* "$scratch/leases"
    "$LEASEHOLD" store init > /dev/null
    git init --quiet --bare "$scratch/site.git"
    git clone --quiet "$scratch/site.git" "$scratch/clone-0" 2> /dev/null
    (cd "$scratch/clone-0" && echo "edition 0" > page && git add page &&
        git -c user.name=me -c user.email=me@example commit --quiet --message "edition 0" && git push --quiet origin main)
}

# A process that is frozen in the middle of a step on the store keeps the lock of the record, and B could not even ask for the lease.
# A step takes milliseconds, so this waits for the next renewal and a moment more. Without a lease there is nothing to wait for.
await_quiet_moment() {
    local state before i
    for state in "$scratch"/leases/leases/*/state; do
        [ -e "$state" ] || return 0
        before=$(cksum < "$state")
        for ((i = 0; i < 100; i++)); do [ "$(cksum < "$state")" = "$before" ] || break; sleep 0.05; done
        sleep 0.3
    done
}

play() { # COMMAND THAT STARTS A RUN...
    new_repository
    echo 1 > "$scratch/news"
    : > "$scratch/A.thinks"
    "$@" A > "$scratch/A.log" 2>&1 &
    pid_a=$!
    await "$scratch/A.pid"
    await_quiet_moment
    kill -STOP $(tree $pid_a)
    echo "   A has read edition 1. Now all its processes are frozen"
    sleep "$APART"
    echo 2 > "$scratch/news"
    "$@" B
    echo "   B, started $APART seconds later, has published edition 2"
    rm "$scratch/A.thinks"
    # The worst order: the job wakes up first, while its supervisor is still frozen.
    kill -CONT $(tree "$(cat "$scratch/A.pid")")
    await "$scratch/A.code"
    kill -CONT $(tree $pid_a) 2> /dev/null || true
    wait $pid_a || true
    pid_a=
    echo "   A wakes up and pushes: exit $(cat "$scratch/A.code")"
    sed -n '/ reads: /p' "$scratch/A.log"
    echo "   The history, newest first:"
    git -C "$scratch/site.git" log --format='      %h %s' main
    echo "   The page says: $(git -C "$scratch/site.git" show main:page)"
}

plain() { "$scratch/agent" "$1" "git push --quiet"; }

leased() {
    local ttl=60s
    [ "$1" != A ] || ttl=$TTL
    "$LEASEHOLD" run site --quiet --wait 30s --ttl "$ttl" --guard "$scratch/site.git" -- "$scratch/agent" "$1" "$LEASEHOLD push --quiet"
}

"$LEASEHOLD" --version > /dev/null
echo "1. With git push"
play plain
[ "$(git -C "$scratch/site.git" show main:page)" = "edition 1" ] || { echo "A's late push did not land this time" >&2; exit 1; }
echo "   Newer work is gone: A could not know that its turn was over."
echo
echo "2. With leasehold run --guard and leasehold push"
play leased
echo "   The fence, newest first:"
git -C "$scratch/site.git" log --format=%B refs/leasehold/site | grep -E '^(raised|step)=' | paste -d' ' - - | sed 's/^/      /'
if [ "$(cat "$scratch/A.code")" = 13 ] && [ "$(git -C "$scratch/site.git" show main:page)" = "edition 2" ]; then
    echo "   The repository itself refused A's push. The lease decides who may try, the fence decides whose push counts."
else
    echo "unexpected result: this is a bug, or the machine is too busy" >&2
    exit 1
fi
