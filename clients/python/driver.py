"""Lets a test drive leasehold.py: one JSON array per line in, one JSON value per line out."""

import json
import sys

import leasehold

server = leasehold.Leasehold(*sys.argv[1].split(","), timeout=2.0)
leases = {}
losses = []


def run(verb, *args):
    if verb == "acquire":
        lease = server.acquire(args[0], ttl=args[1] / 1000, wait=args[2] / 1000, holder="driver", on_lost=losses.append)
        leases[lease.token] = lease
        return lease.token
    if verb == "losses":
        return losses
    lease = leases[args[0]]
    if verb == "lost":
        return lease.lost
    if verb == "once":
        return lease.once(args[1], lambda id: "made " + id)
    if verb == "fail-once":
        return lease.once(args[1], lambda id: 1 / 0)
    method = {"raise": "raise_fence", "admit-once": "admit_once"}.get(verb, verb)
    return getattr(lease, method)(*args[1:])


for line in sys.stdin:
    try:
        print(json.dumps({"value": run(*json.loads(line))}), flush=True)
    except Exception as e:
        print(json.dumps({"error": type(e).__name__, "detail": str(e)}), flush=True)
