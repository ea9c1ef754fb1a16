# A headless agent in bash: it speaks the JSON that Claude Code sends to its hooks, and does what the answers say.
# Source this file, set 'session', and call read_file and write_file. With HOOK=off it does the same without asking.
#
#   LEASEHOLD        the program (default: the one of this checkout)
#   LEASEHOLD_STORE  where leases are kept

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LEASEHOLD=${LEASEHOLD:-$here/../../leasehold}
call=0 answer=

json() { # TEXT -> a JSON string
    local text=$1
    text=${text//\\/\\\\}
    text=${text//\"/\\\"}
    text=${text//$'\n'/\\n}
    printf '"%s"' "$text"
}

# Tells the hook about an event. Its answer is in $answer. Fails if the hook denies, blocks or fails.
tell() { # EVENT TOOL FILE [CONTENT]
    answer=
    [ "${HOOK:-on}" = on ] || return 0
    answer=$(printf '{"hook_event_name":"%s","session_id":%s,"cwd":%s,"tool_name":"%s","tool_use_id":"call-%s","tool_input":{"file_path":%s,"content":%s}}' \
        "$1" "$(json "$session")" "$(json "$PWD")" "$2" "$call" "$(json "$3")" "$(json "${4-}")" |
        "$LEASEHOLD" agent-hook claude) || return 2
    case $answer in *'"permissionDecision":"deny"'* | *'"decision":"block"'*) return 1 ;; esac
}

read_file() { # FILE -> $content
    call=$((call + 1))
    tell PreToolUse Read "$1" || return
    content=$(cat "$1")
    tell PostToolUse Read "$1"
}

write_file() { # FILE CONTENT; $between is run between the permission and the write
    call=$((call + 1))
    tell PreToolUse Write "$1" "$2" || return
    ${between:-true}
    printf '%s\n' "$2" > "$1"
    tell PostToolUse Write "$1" "$2"
}

stop() {
    tell Stop '' '' || true
}

# Adds a line to a file, as often as it takes: reads the file, writes it with the line, and starts again if it was denied.
add_line() { # FILE LINE
    until read_file "$1" && write_file "$1" "$content
$2"; do
        [ -z "$answer" ] || printf '  %s is told: %.150s...\n' "$session" "${answer##*[Rr]eason\":}"
        stop
        sleep "0.$((RANDOM % 5 + 1))"
    done
}
