#!/bin/sh
# leasehold git-hook 1
# Installed by 'leasehold git-hook install'. Protected refs move only together with a Leasehold fence, so a run that lost its
# lease cannot push, whatever client it uses. 'leasehold git-hook uninstall' removes this hook.
# lease: @LEASE@
# protect: @PATTERNS@

state=${1:-}
changes=$(cat)
chained=${0%/*}/reference-transaction.before-leasehold

finish() {
    [ -x "$chained" ] || exit 0
    [ -n "$changes" ] || exec "$chained" "$state" < /dev/null
    printf '%s\n' "$changes" | "$chained" "$state"
    exit
}

refuse() {
    echo "leasehold: refused, nothing was changed: $1" >&2
    exit 1
}

# In this state all refs of the transaction are locked, so what the hook reads cannot change before they are written.
[ "$state" = prepared ] && [ "${LEASEHOLD_GIT_HOOK:-}" != off ] || finish

field() { # COMMIT KEY -> the value in the message
    git cat-file commit "$1" | sed -n -e '1,/^$/d' -e "s/^$2=//p" | sed 1q
}

is_zero() {
    case $1 in *[!0]*) return 1 ;; esac
}

# Packing refs deletes the loose file of a ref that is already in packed-refs. A real deletion holds the lock of packed-refs.
is_packed() { # REF NOW
    [ ! -e "$packed.lock" ] && grep -qxF "$2 $1" "$packed" 2> /dev/null
}

# A fence moves only to a child of its current commit, and its token never decreases.
check_fence() { # REF NEW NOW
    ! is_zero "$2" || refuse "$1 is a fence and must not be deleted"
    parents=$(git cat-file commit "$2" | sed -n -e '/^$/q' -e 's/^parent //p')
    [ "$parents" = "$3" ] || refuse "$1 is a fence and moves one step at a time; $2 does not follow ${3:-nothing}"
    token=$(field "$2" raised)
    case $token in '' | *[!0-9]*) refuse "$1 is a fence, and $2 is not a fence commit" ;; esac
    [ -n "$3" ] || return 0
    before=$(field "$3" raised)
    [ "$token" -ge "$before" ] || refuse "token $token is stale: $1 has seen token $before"
    if [ "$token" -eq "$before" ]; then
        attempt=$(field "$2" attempt)
        known=$(field "$3" attempt)
        [ -z "$attempt" ] || [ -z "$known" ] || [ "$attempt" = "$known" ] ||
            refuse "token $token was issued twice: the store of the leases went back in time"
    fi
}

packed=$(git rev-parse --git-path packed-refs)
advanced=
protected=
while read -r old new ref; do
    [ -n "$ref" ] || continue
    now=$(git rev-parse --quiet --verify "$ref")
    if is_zero "$new"; then
        [ -n "$now" ] && ! is_packed "$ref" "$now" || continue
    else
        [ "$new" != "$now" ] || continue
    fi
    case $ref in
        refs/leasehold/leasehold-scratch%2f* | refs/heads/leasehold/leasehold-scratch%2f*) continue ;;
        refs/leasehold/* | refs/heads/leasehold/*)
            check_fence "$ref" "$new" "$now"
            case $ref in @FENCES@) advanced=$ref ;; esac
            ;;
        @PROTECTED@) protected=$ref ;;
    esac
done << CHANGES
$changes
CHANGES

[ -z "$protected" ] || [ -n "$advanced" ] ||
    refuse "$protected moves only together with the fence of @WHOSE@: use 'leasehold push'"
finish
