#!/bin/bash
# Runs one command in a session of its own and sees to it that this session is dead before a deadline, whatever
# becomes of the program that asked for it (the wrapper).
#
#   bash -p -c 'eval "$LEASEHOLD_GUARD_SCRIPT"' leasehold-guard DIR WRAPPER DEADLINE GRACE PROC MKFIFO RM LEADER \
#       COUNT [NAME=VALUE]{COUNT} COMMAND [ARGUMENT]...
#
# DIR       a private directory, which the wrapper makes once this runs: then somebody is there to remove it, should the
#           wrapper be killed. It holds `control` (the FIFO with the wrapper's orders), `pgid` (the command's
#           pid, which is also its process group and session), `late` (the deadline ended the command) and `done`
#           (the guard saw to everything; without it the wrapper has to)
# WRAPPER   the wrapper's pid: the parent of this process for as long as it lives
# DEADLINE  when everything must be dead, and GRACE, from TERM to KILL: hundredths of a second, by `clock` below
# PROC      /proc, or empty where there is none
# LEADER    the program that opens a session: setsid, or perl where there is no setsid
# NAME=VALUE  variables that bash itself would change or react to; only the command gets them
#
# Orders on the FIFO, one a line: `until DEADLINE`, `signal NAME`, `stop`; and `over` from the guard to its watcher.
#
# Two processes share the work, so that either may be killed: the guard waits for the command, the watcher keeps the
# time. Out of reach are a process that opens a session of its own (a daemon) and one that became another user's
# (sudo): the first is not found, the second may not be signalled. Without /proc, so is one that left the process group.
# Written for bash 3.2 as well, which macOS has: there fractions of a second are not to be had, so it acts up to one
# second early.

unset LEASEHOLD_GUARD_SCRIPT # this text: in the arguments it would be what `ps` shows and `pkill -f` looks through
dir=$1 wrapper=$2 deadline=$3 grace=$4 proc=$5 mkfifo=$6 rm=$7 leader=$8
shift 8
count=$1
shift
kept=("${@:1:count}")
shift "$count"

ordinary_signals="HUP INT QUIT TERM USR1 USR2 TSTP TTIN TTOU"
# shellcheck disable=SC2086 # several words
trap '' $ordinary_signals
# Bash reports killed children on stderr, which belongs to the command. So the three streams are kept aside for it.
exec 7<&0 8>&1 9>&2 </dev/null >/dev/null 2>/dev/null

early=$((grace / 10 < 5 ? 5 : grace / 10 > 25 ? 25 : grace / 10)) # KILL so much before the deadline: dying takes a moment
poll=25 # how long the watcher looks away at most
give_up=1000 # after KILL, a process that still does not go hangs in the kernel and runs no instruction any more
moment=0.01
((BASH_VERSINFO[0] >= 4)) || moment=1
pgid=
now=0

clock() { # sets `now`; counts on while the machine sleeps, and no process is started for it
    local text
    if [[ $proc ]]; then
        read -r text _ <"$proc/uptime" || text=99999999.00 # unreadable: everything is over
        now=$((10#${text/./}))
    elif [[ ${EPOCHREALTIME-} ]]; then
        text=${EPOCHREALTIME/[.,]/}
        now=$((10#${text%????}))
    else
        now=$((($(date +%s) + 1) * 100))
    fi
}

parents() { # sets `guard_gone` and `wrapper_gone`
    local stat
    if [[ $proc ]]; then
        # The guard's parent is compared, because a pid alone may belong to a stranger by now.
        read -r -d '' stat <"$proc/$$/stat"
        # shellcheck disable=SC2086 # split into fields on purpose
        set -- ${stat##*) }
        case ${1-} in '' | Z | X) guard_gone=1 ;; *) [[ $2 == "$wrapper" ]] || wrapper_gone=1 ;; esac
    elif ! kill -0 $$; then
        guard_gone=1
    fi
    if [[ ! $proc || $guard_gone ]]; then
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

leftovers() { # as `members`, for the usual case that the command was short: looks only at the pids given out since then
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

everyone() { # sends $1 to the whole session, in which `timeout` and job control make further groups; fails if nobody is there
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

deliver() { # hands out what is wanted; before the command has opened its session there is nobody to hand it to
    local name left=
    for name in $wanted; do
        if [[ ! $pgid || $left ]]; then
            left="$left $name"
        elif [[ $name == END ]]; then
            # A stopped process does not see TERM until it is woken.
            { everyone TERM && everyone CONT; } || left="$left $name"
        else
            kill -s "$name" -- "-$pgid" || left="$left $name"
        fi
    done
    wanted=$left
}

obey() { # one order, in the watcher
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
    local left line='' part pause timeout last=0 since=0 over='' ending='' wanted='' guard_gone='' wrapper_gone='' kill_at=0 nap=1
    while :; do
        clock
        # A wall clock that was set back must not give time away.
        if [[ ! $proc ]] && ((last && now < last + pause - 150)); then deadline=$((deadline - (last + pause - now))); fi
        parents
        [[ $pgid ]] || read -r pgid <"$dir/pgid"
        if [[ ! $ending ]] && ((now >= deadline - early - grace)); then
            : >"$dir/late"
            begin_end
        fi
        [[ $guard_gone$wrapper_gone ]] && begin_end
        [[ $wanted ]] && deliver
        if [[ $ending ]] && ((now >= kill_at)); then
            if [[ $pgid ]]; then
                kill -s KILL -- "-$pgid" # at once: the look at all processes takes a moment
                everyone KILL
            fi
            ((since)) || since=$now
        fi
        if [[ $over || $guard_gone ]]; then
            members
            # A guard that was killed while it started the command leaves one that has no pid or no session yet.
            [[ $groups || (! $pgid && $now -lt $kill_at) || ($guard_gone && $proc && -e $proc/${pgid:-none}) ]] || break
            ((since && now > since + give_up)) && break
        fi

        pause=$poll
        if [[ $over || $guard_gone || $wanted ]]; then # waiting for an end that nobody announces: soon, then less often
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
        # The time may be up in the middle of a line: the beginning is kept for the next turn.
        if read -r -t "$timeout" -u 5 part; then
            last=0
            obey "$line$part"
            line=
        else
            line=$line$part
        fi
    done
    [[ $guard_gone && $wrapper_gone ]] && exec "$rm" -rf -- "$dir"
    exit 0
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
    echo "$BASHPID" >"$dir/pgid" || exit 126 # a full disk: nobody could end the command, so it does not start
    kill -0 $$ || exit 137
    exec "$leader" -- "$@" <&7 >&8 2>&9 5>&- 7>&- 8>&- 9>&-
}

finish() { # $1: exit code
    local guard_gone='' wrapper_gone=''
    : >"$dir/done"
    parents
    [[ $wrapper_gone ]] && "$rm" -rf -- "$dir"
    exit "$1"
}

clock
guard_gone='' wrapper_gone=''
looks=0
# Its name can be guessed, so others could make it first; what they make is not ours, and a link is nobody's directory.
until [[ ! -L $dir && -d $dir && -O $dir && ! -L $dir ]]; do # hardly ever waited for: it is made while this shell starts
    parents
    [[ $wrapper_gone ]] && exit 137 # a passed deadline does not count here: there is no place yet to say that it passed
    clock
    ((now > deadline + give_up)) && exit 137 # the wrapper could not go on (no thread, say) and lives for other things
    if [[ -e $dir ]] && ((++looks > 50)); then
        echo "leasehold: $dir belongs to somebody else; the command was not started" >&9
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

# A trapped signal falls back to its default in the command; an ignored one, as in the watcher, would stay ignored.
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
        while kill -0 "$watcher"; do wait "$watcher"; done # a signal interrupts wait
        members
        [[ $groups ]] && everyone KILL # the watcher was killed
    fi
fi
kill -s KILL "$watcher"
wait "$watcher"
finish "$code"
