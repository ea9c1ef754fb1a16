"""A client of a Leasehold server, in one file that needs nothing but Python 3.9.

    from leasehold import Leasehold

    leasehold = Leasehold("http://127.0.0.1:7420")
    with leasehold.acquire("nightly", ttl=60) as lease:
        lease.raise_fence("bucket/report.pdf")      # from now on, older runs are refused
        report = make_report()
        lease.admit("bucket/report.pdf")            # raises Stale if another run has taken over
        upload(report)

What is not guaranteed:

- The lease may end while your code runs: the process was frozen, or the server could not be
  reached. lease.lost then says so, lease.check() raises, and on_lost is called, but nothing stops
  your code by itself. A frozen process notices only when it runs again.
- Between admit() and your write there is a window. A target that checks the token in the same
  step as the write has none: give it lease.token.
- The heartbeat is a thread. Code that never releases the interpreter lock stops it.
"""

from __future__ import annotations

import json
import os
import random
import re
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Dict, List, Optional, Tuple

__all__ = ["Leasehold", "Lease", "LeaseholdError", "Busy", "Stale", "Unavailable", "OutcomeUnknown"]

_PROBLEM = "urn:leasehold:problem:"
_MARGIN = 0.1  # of the ttl: trust ends this much before the lease does
_TRIES = 4
_SAFE = re.compile(r"https:|http://(localhost|127\.0\.0\.1|\[::1\])([:/]|$)")  # nobody on the way can read a key
_THIS_HOST = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:|/|$)")
# A proxy of the environment would get the key, and could not reach this host.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class LeaseholdError(Exception):
    """An answer other than success. problem is its type, body the whole answer."""

    def __init__(self, problem: str, detail: str, body: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(detail)
        self.problem = problem
        self.detail = detail
        self.body = body or {}


class Busy(LeaseholdError):
    """Another holder has the lease."""


class Stale(LeaseholdError):
    """The grant is not current. Nothing was changed; stop working."""


class OutcomeUnknown(LeaseholdError):
    """The call was begun before and has no outcome. Ask the target; do not make it again."""


class Unavailable(LeaseholdError):
    """No answer: the outcome is unknown."""


_ERRORS = {
    "busy": Busy,
    "stale": Stale,
    "wrong-store": Stale,
    "outcome-unknown": OutcomeUnknown,
    "store-unavailable": Unavailable,
    "overloaded": Unavailable,
    "stopping": Unavailable,
}


class Leasehold:
    """One or more servers of the same store; the next one is asked if one does not answer."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:7420",
        *more: str,
        key: Optional[str] = None,
        timeout: float = 10.0,
        insecure_plaintext: bool = False,
    ) -> None:
        self._key = (key or os.environ.get("LEASEHOLD_ACCESS_KEY") or "").strip()
        if not re.fullmatch(r"[!-~]*", self._key):
            raise ValueError("the key has characters that no key has; use what 'leasehold keys add' printed")
        self._servers = [server.rstrip("/") for server in (url, *more)]
        if self._key and not insecure_plaintext and not all(map(_SAFE.match, self._servers)):
            raise ValueError("without TLS everybody on the way can read the key: use https://, or insecure_plaintext=True")
        self._timeout = timeout

    def acquire(
        self,
        name: str,
        ttl: float = 90.0,
        wait: float = 0.0,
        holder: Optional[str] = None,
        on_lost: Optional[Callable[[str], None]] = None,
    ) -> "Lease":
        """Acquires a lease and renews it in the background. Raises Busy if another has it.

        ttl and wait are in seconds. on_lost is called once, with the reason, from another thread.
        """
        call: Dict[str, Any] = {
            "name": name,
            "ttlMs": _millis(ttl),
            "holder": holder or f"{socket.gethostname()}-{os.getpid()}"[:100],
            "attempt": uuid.uuid4().hex,
        }
        if wait > 0:
            call["waitMs"] = _millis(wait)
        try:
            started = _now()
            grant = self.call("/v1/leases/acquire", call, wait)
            if wait > 0:
                # Trust counts from before the call, which may have waited for longer than the ttl.
                started = _now()
                self._renew_one(grant, call["ttlMs"])
        except Busy:
            raise
        except BaseException:
            self._abandon(name, call["attempt"])
            raise
        return Lease(self, grant, ttl, started, on_lost)

    def _abandon(self, name: str, attempt: str) -> None:
        """Gives back what may have been granted to a call that got no answer."""
        try:
            self.call("/v1/leases/abandon", {"name": name, "attempt": attempt})
        except LeaseholdError:
            pass  # It expires.

    def _renew_one(self, grant: Dict[str, Any], ttl_ms: int, tries: int = _TRIES) -> None:
        item = {key: grant[key] for key in ("name", "token", "attempt", "store")}
        item["ttlMs"] = ttl_ms
        result = self.call("/v1/leases/renew", {"grants": [item]}, tries=tries)["results"][0]
        if result["outcome"] == "unknown":
            raise Unavailable("unknown", result.get("detail", "the store did not answer"))
        if result["outcome"] != "renewed":
            raise Stale("stale", f"{grant['name']} token {grant['token']}: {result['outcome']}", result)

    def leases(self, prefix: str = "") -> List[Dict[str, Any]]:
        """All leases whose names start with prefix."""
        found: List[Dict[str, Any]] = []
        after: Optional[str] = ""
        while after is not None:
            page = self.call("/v1/leases?" + urllib.parse.urlencode({"prefix": prefix, "after": after, "limit": 500}))
            found += page["leases"]
            after = page.get("next")
        return found

    def call(
        self, path: str, body: Optional[Dict[str, Any]] = None, wait: float = 0.0, tries: int = _TRIES
    ) -> Dict[str, Any]:
        """Makes one call. It is repeated if no answer arrives: every call here may be."""
        failure = Unavailable("unreachable", "no server was asked")
        for number in range(tries):
            server = self._servers[0]
            try:
                return self._send(server + path, body, wait)
            except Unavailable as e:
                failure = e
                if len(self._servers) > 1:
                    self._servers = self._servers[1:] + [server]
                if number + 1 < tries:
                    time.sleep(random.uniform(0.05, 0.2) * (number + 1))
        raise failure

    def _send(self, url: str, body: Optional[Dict[str, Any]], wait: float) -> Dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        if self._key:
            headers["Authorization"] = "Bearer " + self._key
        request = urllib.request.Request(url, data, headers)
        try:
            opener = _DIRECT.open if _THIS_HOST.match(url) else urllib.request.urlopen
            with opener(request, timeout=self._timeout + wait) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as e:
            raise _error(e) from None
        except (OSError, ValueError) as e:
            raise Unavailable("unreachable", f"{url}: {e}") from e


class Lease:
    """A lease that this process holds. Use it with 'with', or call release()."""

    def __init__(
        self,
        server: Leasehold,
        grant: Dict[str, Any],
        ttl: float,
        renewed: Tuple[float, float],
        on_lost: Optional[Callable[[str], None]],
    ) -> None:
        self._server = server
        self._grant = grant
        self._ttl = ttl
        self._renewed = renewed
        self._on_lost = on_lost
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._lost: Optional[str] = None
        self._heartbeat = threading.Thread(target=self._beat, name="leasehold-" + self.name, daemon=True)
        self._heartbeat.start()

    @property
    def name(self) -> str:
        return str(self._grant["name"])

    @property
    def token(self) -> int:
        """The fencing token. Give it to everything that you write to."""
        return int(self._grant["token"])

    @property
    def transfer(self) -> Dict[str, Any]:
        """Why ownership changed: first, released, expired, takeover."""
        return dict(self._grant["transfer"])

    @property
    def lost(self) -> Optional[str]:
        """Why the lease is lost; None while it is held."""
        if self._lost is None and not self._ended.is_set() and _since(self._renewed) >= self._ttl * (1 - _MARGIN):
            self._lose("it was not renewed in time; this process or its network was paused")
        return self._lost

    def check(self) -> None:
        """Raises Stale if the lease is lost. Call it between the steps of your work."""
        reason = self.lost
        if reason is not None:
            raise Stale("lost", f"{self.name} token {self.token} is lost: {reason}")

    def headers(self) -> Dict[str, str]:
        """The header that shows the whole grant to a service of your own. Raises Stale if the lease is lost."""
        self.check()
        parts = ("lh1", self._grant["token"], self._grant["attempt"], self._grant["store"], self._grant["name"])
        return {"Leasehold-Grant": ";".join(map(str, parts))}

    def _beat(self) -> None:
        while not self._ended.wait(self._ttl / 3):
            started = _now()
            try:
                self._server._renew_one(self._grant, _millis(self._ttl), tries=1)
                self._renewed = started
            except Stale as e:
                self._lose(e.detail)
                return
            except LeaseholdError:
                if self._ended.wait(min(1.0, self._ttl / 10)):
                    return
            if self.lost is not None:
                return

    def _lose(self, reason: str) -> None:
        with self._lock:
            if self._lost is not None or self._ended.is_set():
                return
            self._lost = reason
        if self._on_lost is not None:
            self._on_lost(reason)

    def _shown(self, **fields: Any) -> Dict[str, Any]:
        shown = {key: self._grant[key] for key in ("name", "token", "attempt", "store")}
        shown.update({key: value for key, value in fields.items() if value is not None})
        return shown

    def progress(self, note: Optional[str] = None, checkpoint: Optional[str] = None) -> None:
        self._server.call("/v1/leases/progress", self._shown(note=note, checkpoint=checkpoint))

    def raise_fence(self, resource: str) -> None:
        """Call it before the first read of the work: from then on older tokens are refused."""
        self._server.call("/v1/fences/raise", self._shown(resource=resource))

    def admit(self, resource: str) -> None:
        """Raises Stale if this lease may not write to the resource any more."""
        self._server.call("/v1/fences/admit", self._shown(resource=resource))

    def admit_once(self, resource: str, digest: Optional[str] = None) -> bool:
        """Admits one write of this lease. False if the same write was admitted before."""
        return not self._server.call("/v1/fences/admit-once", self._shown(resource=resource, digest=digest))["again"]

    def claim(self, key: str, fingerprint: Optional[str] = None) -> Dict[str, Any]:
        """Claims a piece of work. If its outcome is 'done', do not do it: item.result has its result."""
        return self._server.call("/v1/work/claim", self._shown(key=key, fingerprint=fingerprint))

    def checkpoint(self, key: str, checkpoint: str) -> None:
        self._server.call("/v1/work/checkpoint", self._shown(key=key, checkpoint=checkpoint))

    def complete(self, key: str, result: Optional[str] = None, effects: Optional[List[str]] = None) -> None:
        self._server.call("/v1/work/complete", self._shown(key=key, result=result, effects=effects))

    def fail(self, key: str, error: str) -> None:
        self._server.call("/v1/work/fail", self._shown(key=key, error=error))

    def once(self, id: str, make: Callable[[str], Optional[str]]) -> Optional[str]:
        """Makes a call that must not be repeated. make gets the id as an idempotency key, and
        returns what to record of the answer. Raises OutcomeUnknown if the call was begun before and
        has no outcome. If make raises, the outcome is unknown to everybody until it is settled.
        """
        begun = self._server.call("/v1/once/begin", self._shown(id=id), tries=1)
        if begun["state"] == "made":
            return begun.get("note")
        note = make(id)
        self._server.call("/v1/once/made", self._shown(id=id, note=note))
        return note

    def settle(self, id: str, made: bool, note: Optional[str] = None) -> None:
        """Records the outcome of a call that was unknown, after you have asked the target."""
        self._server.call("/v1/once/settle", self._shown(id=id, made=made, note=note))

    def release(self) -> None:
        """Gives the lease back. Harmless if it is lost or was given back before."""
        if self._ended.is_set():
            return
        self._ended.set()
        try:
            self._server.call("/v1/leases/release", self._shown())
        except (Stale, Unavailable):
            pass  # Another run has it, or it expires.

    def __enter__(self) -> "Lease":
        return self

    def __exit__(self, *error: Any) -> None:
        self.release()


def _now() -> Tuple[float, float]:
    """A moment on two clocks. The second counts while the machine sleeps: that of the time since
    boot where there is one, and otherwise the wall clock, which may jump.
    """
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic(), time.time() if clock is None else time.clock_gettime(clock)


def _since(then: Tuple[float, float]) -> float:
    return max(a - b for a, b in zip(_now(), then))


def _millis(seconds: float) -> int:
    return max(1, int(seconds * 1000))


def _error(answer: urllib.error.HTTPError) -> LeaseholdError:
    try:
        body = json.loads(answer.read())
        problem = str(body["type"]).replace(_PROBLEM, "")
        return _ERRORS.get(problem, LeaseholdError)(problem, str(body["detail"]), body)
    except (OSError, ValueError, KeyError, TypeError):
        return Unavailable("not-leasehold", f"{answer.url} answered {answer.code}, not as a Leasehold server")
