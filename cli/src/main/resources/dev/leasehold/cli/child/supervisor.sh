#!/bin/bash
# Runs one command in its own session and makes sure that every process of that session is dead
# before a deadline, even if the program that asked for it (the wrapper) is killed or frozen.
#
#   bash -p -c 'eval "$LEASEHOLD_SUPERVISOR_SCRIPT"' leasehold-supervisor DIR WRAPPER DEADLINE GRACE PROC MKFIFO RM LEADER \
#       COUNT [NAME=VALUE]{COUNT} COMMAND [ARGUMENT]...
#
# LEASEHOLD_SUPERVISOR_AFTERWARDS (in the environment) is a program to run if the wrapper is gone, once every process of
# the command is dead: it gives the lease back. One word per line; the words of the command are added. Empty for none.
#
# DIR       a private directory, which the wrapper makes once this script runs: the script removes it if the wrapper is
#           killed. It holds `control` (the FIFO with the wrapper's orders), `pgid` (the command's pid, which is also its
#           process group and session), `late` (the deadline ended the command) and `done` (the supervisor ended every
#           process; without it the wrapper has to)
# WRAPPER   the wrapper's pid: the parent of this process as long as it lives
# DEADLINE  when every process must be dead, and GRACE, from TERM to KILL: hundredths of a second, by `clock` below
# PROC      /proc, or empty where there is none
# LEADER    the program that opens a session: setsid, or perl where there is no setsid
# NAME=VALUE  variables that bash itself would change or react to; only the command gets them
#
# Orders on the FIFO, one per line: `until DEADLINE`, `signal NAME`, `stop`; and `over` from the
# supervisor to its watcher.
#
# Two processes share the work, so that either may be killed: the supervisor waits for the command,
# the watcher keeps the time. A process that opens its own session (a daemon) is not found, and a
# process of another user (sudo) may not be signalled. Without /proc, a process that left the
# process group is not found either. Runs on bash 3.2 as well, which macOS has. That bash cannot
# wait for fractions of a second, so it acts up to one second early.

afterwards=${LEASEHOLD_SUPERVISOR_AFTERWARDS-}
unset LEASEHOLD_SUPERVISOR_AFTERWARDS
unset LEASEHOLD_SUPERVISOR_SCRIPT # this script: as an argument, `ps` would show it and `pkill -f` would search it
dir=$1 wrapper=$2 deadline=$3 grace=$4 proc=$5 mkfifo=$6 rm=$7 leader=$8
shift 8
count=$1
shift
kept=("${@:1:count}")
shift "$count"
words=("$@")

ordinary_signals="HUP INT QUIT TERM USR1 USR2 TSTP TTIN TTOU"
# shellcheck disable=SC2086 # several words
trap '' $ordinary_signals
# Bash reports killed children on stderr, which belongs to the command. So the three streams are set
# aside for the command.
exec 7<&0 8>&1 9>&2 </dev/null >/dev/null 2>/dev/null

early=$((grace / 10 < 5 ? 5 : grace / 10 > 25 ? 25 : grace / 10)) # how long before the deadline KILL is sent: dying takes a moment
poll=25 # the watcher's longest pause
give_up=1000 # a process that survives KILL for this long hangs in the kernel and executes nothing any more
moment=0.01
((BASH_VERSINFO[0] >= 4)) || moment=1
pgid=
now=0

clock() { # sets `now`; runs on while the machine sleeps, and starts no process
    local text
    if [[ $proc ]]; then
        read -r text _ <"$proc/uptime" || text=99999999.00 # unreadable: the deadline counts as passed
        now=$((10#${text/./}))
    elif [[ ${EPOCHREALTIME-} ]]; then
        text=${EPOCHREALTIME/[.,]/}
        now=$((10#${text%????}))
    else
        now=$((($(date +%s) + 1) * 100))
    fi
}

parents() { # sets `supervisor_gone` and `wrapper_gone`
    local stat
    if [[ $proc ]]; then
        # Compare the supervisor's parent: the wrapper's pid alone may belong to another process by
        # now.
        read -r -d '' stat <"$proc/$$/stat"
        # shellcheck disable=SC2086 # split into fields on purpose
        set -- ${stat##*) }
        case ${1-} in '' | Z | X) supervisor_gone=1 ;; *) [[ $2 == "$wrapper" ]] || wrapper_gone=1 ;; esac
    elif ! kill -0 $$; then
        supervisor_gone=1
    fi
    if [[ ! $proc || $supervisor_gone ]]; then
        kill -0 "$wrapper" || wrapper_gone=1
    fi
}

members() { # sets `groups`: the process groups of the command's session that have a living member
    groups=
    if [[ $proc ]]; then
        local entry
        for entry in "$proc"/[0-9]*; do member "$entry"; done
    elif kill -0 -- "-$pgid"; then
        groups=$pgid
    fi
}

member() { # adds the group of the process $1 to `groups` if it lives and is in the command's session
    local stat=
    read -r -d '' stat <"$1/stat"
    # shellcheck disable=SC2086 # split into fields on purpose
    set -- ${stat##*) }
    [[ ${4-} == "$pgid" && $1 != [ZX] && " $groups " != *" $3 "* ]] && groups="$groups $3"
}

leftovers() { # as `members`, but after a short command it checks only the pids that were assigned since its start
    local latest=0 pid
    clock
    [[ $proc ]] && read -r _ _ _ _ latest <"$proc/loadavg"
    if ((now - started < 500 && latest >= pgid && latest - pgid < 200)); then
        groups=
        for ((pid = pgid; pid <= latest; pid++)); do member "$proc/$pid"; done
    else
        members # pids may have wrapped around
    fi
}

everyone() { # sends $1 to all groups of the session (`timeout` and job control create some); fails if there is no process
    local group
    members
    for group in $groups; do kill -s "$1" -- "-$group"; done
    [[ $groups ]]
}

begin_end() {
    [[ $ending ]] && return
    ending=1
    kill_at=$((now + grace))
    ((kill_at <= deadline - early)) || kill_at=$((deadline - early))
    wanted="$wanted END"
}

deliver() { # sends the wanted signals; they wait until the command has opened its session
    local name left=
    for name in $wanted; do
        if [[ ! $pgid || $left ]]; then
            left="$left $name"
        elif [[ $name == END ]]; then
            # A stopped process handles TERM only after CONT.
            { everyone TERM && everyone CONT; } || left="$left $name"
        else
            kill -s "$name" -- "-$pgid" || left="$left $name"
        fi
    done
    wanted=$left
}

obey() { # carries out one order, in the watcher
    clock
    case $1 in
    until\ *) [[ $ending ]] || deadline=${1#* } ;;
    signal\ *) wanted="$wanted ${1#* }" ;;
    stop) begin_end ;;
    over) over=1 nap=1 && begin_end ;;
    esac
}

watch() {
    LC_ALL=C # for this process only: the decimal point of read -t
    local left line='' part pause timeout last=0 since=0 over='' ending='' wanted='' supervisor_gone='' wrapper_gone='' kill_at=0 nap=1
    while :; do
        clock
        # A wall clock that was set back must not extend the time.
        if [[ ! $proc ]] && ((last && now < last + pause - 150)); then deadline=$((deadline - (last + pause - now))); fi
        parents
        [[ $pgid ]] || read -r pgid <"$dir/pgid"
        if [[ ! $ending ]] && ((now >= deadline - early - grace)); then
            : >"$dir/late"
            begin_end
        fi
        [[ $supervisor_gone$wrapper_gone ]] && begin_end
        [[ $wanted ]] && deliver
        if [[ $ending ]] && ((now >= kill_at)); then
            if [[ $pgid ]]; then
                kill -s KILL -- "-$pgid" # first: searching all processes takes a moment
                everyone KILL
            fi
            ((since)) || since=$now
        fi
        if [[ $over || $supervisor_gone ]]; then
            members
            # A supervisor that was killed while it started the command may leave a command without
            # a pid or session.
            [[ $groups || (! $pgid && $now -lt $kill_at) || ($supervisor_gone && $proc && -e $proc/${pgid:-none}) ]] || break
            ((since && now > since + give_up)) && break
        fi

        pause=$poll
        if [[ $over || $supervisor_gone || $wanted ]]; then # no message announces the end, so look soon, then less often
            ((nap = nap * 2 > poll ? poll : nap * 2))
            pause=$nap
        fi
        if [[ $ending ]]; then left=$((kill_at - now)); else left=$((deadline - early - grace - now)); fi
        if ((left > 0 && left < pause)); then pause=$left; fi
        if [[ $ending ]] && ((left <= 0)); then pause=5; fi
        if ((BASH_VERSINFO[0] < 4)); then pause=100; fi
        printf -v timeout '%d.%02d' $((pause / 100)) $((pause % 100))
        if ((BASH_VERSINFO[0] < 4)); then timeout=1; fi
        last=$now part=
        # The timeout may come in the middle of a line: keep its beginning for the next round.
        if read -r -t "$timeout" -u 5 part; then
            last=0
            obey "$line$part"
            line=
        else
            line=$line$part
        fi
    done
    if [[ $supervisor_gone && $wrapper_gone ]]; then
        "$rm" -rf -- "$dir"
        [[ $groups || ! $pgid ]] || give_back # without a pid it is unknown whether the command lives
    fi
    exit 0
}

give_back() { # runs the program for afterwards, for a limited time; called when the wrapper is gone and the command dead
    [[ $afterwards ]] || return
    local IFS=$'\n' LC_ALL=C last pause=0.05 program
    ((BASH_VERSINFO[0] >= 4)) || pause=1
    set -f
    # shellcheck disable=SC2086 # one word per line
    $afterwards "${words[@]}" 5>&- &
    program=$!
    IFS=$' \t\n'
    clock
    last=$((now + give_up))
    while kill -0 "$program"; do
        clock
        ((now < last)) || kill -s KILL "$program"
        read -r -t "$pause" _ <> <(:)
    done
}

command_itself() {
    unset PWD OLDPWD SHLVL
    local pair
    for pair in ${kept[@]+"${kept[@]}"}; do export "${pair?}"; done
    if [[ ${leader##*/} == perl* ]]; then
        # shellcheck disable=SC2016 # these are perl's variables
        exec "$leader" -MPOSIX -e 'POSIX::setsid(); my $f; open($f, ">", shift) && print($f "$$\n") && close($f) or exit 126;
            exec { $ARGV[0] } @ARGV; print STDERR "leasehold: cannot execute $ARGV[0]: $!\n"; exit($!{ENOENT} ? 127 : 126)' \
            "$dir/pgid" "$@" <&7 >&8 2>&9 5>&- 7>&- 8>&- 9>&-
    fi
    echo "$BASHPID" >"$dir/pgid" || exit 126 # a full disk: without the pid the command could not be ended, so it does not start
    kill -0 $$ || exit 137
    exec "$leader" -- "$@" <&7 >&8 2>&9 5>&- 7>&- 8>&- 9>&-
}

finish() { # $1: exit code
    local supervisor_gone='' wrapper_gone=''
    : >"$dir/done"
    parents
    if [[ $wrapper_gone ]]; then
        "$rm" -rf -- "$dir"
        members
        [[ $groups ]] || give_back
    fi
    exit "$1"
}

clock
supervisor_gone='' wrapper_gone=''
looks=0
# The name can be guessed, so another user could make the directory first: it must be ours, and not
# a link.
until [[ ! -L $dir && -d $dir && -O $dir && ! -L $dir ]]; do # usually true at once: the wrapper makes it while this shell starts
    parents
    if [[ $wrapper_gone ]]; then # a passed deadline is ignored here: without the directory it cannot be reported
        give_back
        exit 137
    fi
    clock
    ((now > deadline + give_up)) && exit 137 # the wrapper failed to go on (it could not start a thread, for example)
    if [[ -e $dir ]] && ((++looks > 50)); then
        echo "leasehold: $dir belongs to another user; the command was not started" >&9
        exit 126
    fi
    read -r -t "$moment" _ <> <(:)
done
if ! "$mkfifo" -m 600 "$dir/control" 2>&9 || ! exec 5<>"$dir/control"; then
    echo "leasehold: cannot make $dir/control; the command was not started" >&9
    finish 126
fi
parents
clock
if ((now >= deadline - early)); then : >"$dir/late"; fi
if [[ $wrapper_gone || -e $dir/late ]]; then finish 137; fi
started=$now
watch 7<&- 8>&- 9>&- &
watcher=$!

# A trapped signal gets its default action in the command; an ignored signal, as in the watcher,
# would stay ignored.
# shellcheck disable=SC2086 # several words
trap : $ordinary_signals
(command_itself "$@")
code=$?

exec 7<&- 8>&- 9>&-
read -r pgid <"$dir/pgid"
if [[ $pgid ]]; then
    leftovers
    if [[ $groups ]]; then
        echo over >&5
        while kill -0 "$watcher"; do wait "$watcher"; done # a signal interrupts `wait`
        members
        [[ $groups ]] && everyone KILL # in case the watcher was killed
    fi
fi
kill -s KILL "$watcher"
wait "$watcher"
finish "$code"
