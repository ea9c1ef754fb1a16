package dev.leasehold.simulator;

import java.util.List;

/** The guards that are removed, one at a time. */
final class Mutations {
    private static final String RULES = "LeaseRules";
    private static final String RECORD = "LeaseRecord";
    private static final String WORK = "WorkRules";
    private static final String TWO_COPY_FILE = "TwoCopyFile";
    private static final String COPY_PAGES = "CopyPages";
    private static final String STAGED_FILE = "StagedFile";

    private static final String COMBINER = "Combiner";
    private static final String REPLACE =
            "return replace(key, stored, write, step) ? Optional.of(step.answer()) : Optional.empty();";

    private static final String HEARTBEAT = "Heartbeat";
    private static final String ASKED = "asked = context.ticker().read();";
    private static final String ANSWER = "Acquisition answer = ask(wait.minus(started.elapsedUntil(asked)));";
    private static final String RELEASE_ALWAYS =
            "interrupted = record(end);\n        } finally {\n            releaseLease();";
    private static final String RELEASE_AFTER_SUCCESS =
            "interrupted = record(end);\n            releaseLease();\n        } finally {";

    static final List<Mutation> ALL = List.of(
            new Mutation(
                    "the token rises when an expired lease is granted",
                    RULES,
                    "return grant(name, record.token().next(), attempt",
                    "return grant(name, record.token(), attempt"),
            new Mutation(
                    "the token rises when an operator takes over",
                    RULES,
                    "Math.addExact(Math.max(current, move.above()), 1)",
                    "Math.max(1, Math.max(current, move.above()))"),
            new Mutation(
                    "a release keeps the record",
                    "CasLeaseStore",
                    REPLACE,
                    "if (write.released() && register.remove(key, stored.reading().version())) {\n"
                            + "return Optional.of(step.answer());\n}\n" + REPLACE),
            new Mutation(
                    "an expired lease is not renewed",
                    RECORD,
                    "return deadline.isAfter(now) ? null : Loss.Lapsed.atStore(deadline);",
                    "return null;"),
            new Mutation(
                    "an unexpired lease is not granted to another",
                    RULES,
                    "if (record.deadline().isAfter(now)) {",
                    "if (record.deadline().isAfter(now.plusSeconds(1))) {"),
            new Mutation(
                    "trust counts from before the renewal",
                    "Heartbeat",
                    "Duration gap = held.renewed(asked);",
                    "Duration gap = held.renewed(context.ticker().read());"),
            new Mutation(
                    "trust counts from before the acquisition",
                    "Acquirer",
                    ASKED + "\n                " + ANSWER,
                    ANSWER + "\n                " + ASKED),
            new Mutation(
                    "the monotonic clock is checked too",
                    "ClockReading",
                    "Math.max(later.monotonicNanos - monotonicNanos, later.sleepingNanos - sleepingNanos)",
                    "later.sleepingNanos - sleepingNanos"),
            new Mutation(
                    "a clock that counts while the machine sleeps is checked too",
                    "ClockReading",
                    "Math.max(later.monotonicNanos - monotonicNanos, later.sleepingNanos - sleepingNanos)",
                    "later.monotonicNanos - monotonicNanos"),
            new Mutation(
                    "a margin allows for clocks that run at different rates",
                    "LeaseTerms",
                    "return ttl.minus(margin());",
                    "return ttl;"),
            new Mutation(
                    "store time never runs backwards",
                    RULES,
                    "return now.isBefore(record.seen()) ? record.seen() : now;",
                    "return now;"),
            new Mutation(
                    "a clock that jumped back delays the next grant by one term only",
                    RULES,
                    "return clockJumpedBack(record, clock) ? rebase(record, clock) : Step.keep(busy(record, now));",
                    "return Step.keep(busy(record, now));"),
            new Mutation(
                    "a release after the clock jumped back counts from now",
                    RULES,
                    "record.owner().at().isAfter(now) ? now : record.owner().at()",
                    "record.owner().at()"),
            new Mutation(
                    "the same attempt gets its grant back",
                    RULES,
                    "if (record.owner().attempt().equals(attempt)) {",
                    "if (false) {"),
            new Mutation(
                    "one attempt id serves all tries of a call",
                    "Acquirer",
                    "answer = store.acquire(name, attempt, holder, ttl);",
                    "attempt = AttemptId.of(context.ids().unique());\n"
                            + "answer = store.acquire(name, attempt, holder, ttl);"),
            new Mutation(
                    "holders are not compared: the same holder waits too",
                    RULES,
                    "if (record.deadline().isAfter(now)) {",
                    "if (record.deadline().isAfter(now) && !record.owner().holder().equals(holder)) {"),
            new Mutation(
                    "the same holder gets a new token",
                    RULES,
                    "if (record.owner().attempt().equals(attempt)) {",
                    "if (record.owner().attempt().equals(attempt) || record.owner().holder().equals(holder)) {"),
            new Mutation(
                    "a client abandons only its own attempt",
                    RULES,
                    "record != null && record.owner().attempt().equals(attempt) && !record.released()",
                    "record != null && !record.released()"),
            new Mutation(
                    "a stale token renews and releases nothing",
                    RECORD,
                    "if (grant.token().isBelow(token())) {\n            return new Loss.Superseded(owner);\n        }\n"
                            + "        if (!grant.agreesWith(owner.attempt())) {",
                    "if (false) {"),
            new Mutation(
                    "history is written in the step that it records",
                    "CasLeaseStore",
                    "RecordText.replace(old, write, write.owner(), MOST_IN_RECORD)",
                    "RecordText.replace(old, write, old.isEmpty() ? write.owner() : null, MOST_IN_RECORD)"),
            new Mutation(
                    "transfers are kept before they leave the record",
                    "CasLeaseStore",
                    "long from = past.add(old, write);",
                    "long from = 1;"),
            new Mutation(
                    "a target refuses every lower token",
                    "FenceState",
                    "if (grant.token().isBelow(raised)) {",
                    "if (grant.token().value() + 1 < raised.value()) {"),
            new Mutation(
                    "a target admits the token it was raised to",
                    "FenceState",
                    "if (grant.token().isBelow(raised)) {",
                    "if (!raised.isBelow(grant.token())) {"),
            new Mutation(
                    "a target refuses a token from another attempt",
                    "FenceState",
                    "if (grant.token().equals(raised) && !grant.agreesWith(attempt)) {",
                    "if (false) {"),
            new Mutation(
                    "a target is raised before the first read",
                    "SimulatedWorker",
                    "if (fence.raise(lease.grant()) instanceof Admission.Refused refused) {",
                    "if (false) {\nAdmission.Refused refused = null;"),
            new Mutation(
                    "only the current epoch completes a work item",
                    WORK,
                    "if (item == null || !claim.covers(item)) {\n            return stale(claim, item, null);\n        }\n"
                            + "        if (item.state() == WorkState.DONE) {",
                    "if (item == null) {\n            return stale(claim, item, null);\n        }\n        if (false) {"),
            new Mutation(
                    "a completed work item is not claimed again",
                    WORK,
                    "if (item != null && item.state() == WorkState.DONE) {",
                    "if (false) {"),
            new Mutation(
                    "a file's check and write are one step",
                    "DiskFence",
                    "try (FenceStep step = FenceStep.open(target, grant, ids, wait)) {\n"
                            + "            DiskState before = step.state();\n            before.requireKind",
                    """
                    DiskState before;
                    try (FenceStep check = FenceStep.open(target, grant, ids, wait)) {
                        before = check.state();
                    } catch (IOException e) {
                        throw unavailable(path, e, consequence);
                    }
                    try (FenceStep step = FenceStep.open(target, grant, ids, wait)) {
                        before.requireKind"""),
            new Mutation("a fence is locked", TWO_COPY_FILE, "lock = lock(channel, path, start + wait.toNanos());", ""),
            new Mutation(
                    "a fence is durable before the file is replaced",
                    TWO_COPY_FILE,
                    "channel.force(false);\n        pages.noteDone",
                    "pages.noteDone"),
            new Mutation(
                    "a fence has two copies, replaced in turn",
                    COPY_PAGES,
                    "COPIES_START + (sequence % 2) * size.copyBytes()",
                    "COPIES_START"),
            new Mutation(
                    "a new fence's directory entry is durable before it is used",
                    TWO_COPY_FILE,
                    "if (latest.sequence() == 0) {",
                    "if (false) {"),
            new Mutation("a staged file is durable", STAGED_FILE, "channel.force(true);", ""),
            new Mutation(
                    "a replaced file is durable before the write is acknowledged",
                    STAGED_FILE,
                    "Disk.syncDirectory(step.target().directory());\n        if (step.state().former() != null) {",
                    "if (step.state().former() != null) {"),
            new Mutation(
                    "a slot's identity contains its instant",
                    "Slot",
                    "return job + \"@\" + at;",
                    "return job.value();"),
            new Mutation(
                    "a job's record is replaced only if it is still as it was read",
                    "JobRecords",
                    "register.compareAndSet(PREFIX + job, reading.version(), JobRecordText.format(after))",
                    "register.compareAndSet(PREFIX + job, register.read(PREFIX + job).version(),"
                            + " JobRecordText.format(after))"),
            new Mutation(
                    "decided slots are remembered",
                    "DueSlotPolicy",
                    "ifPresent(newest -> record = record.withWatermark(newest));",
                    "ifPresent(newest -> {});"),
            new Mutation(
                    "a slot that is not caught up is recorded as dropped",
                    "DueSlotPolicy",
                    "drop(job.schedule(), after, firstToRun, reason);",
                    ""),
            new Mutation(
                            "the check of the leases survives when no thread can be started for a renewal",
                            HEARTBEAT,
                            "} catch (RuntimeException | Error e) {\n            asking = false;",
                            "} catch (ArithmeticException e) {\n            asking = false;")
                    .and(
                            HEARTBEAT,
                            "} catch (RuntimeException | Error e) {\n            giveAllUp(e);",
                            "} catch (ArithmeticException e) {\n            giveAllUp(e);"),
            new Mutation(
                    "a loss is reported even if no thread can be started for it",
                    "Leases",
                    "callBackHere(callback);\n        }",
                    "throw noThread;\n        }"),
            new Mutation(
                    "a permit is returned when the acquire fails",
                    "JobPass",
                    "try (Workers.Permit permit = free.get()) {\n"
                            + "            attempt = engine.leases().poll(name, job.terms());",
                    "attempt = engine.leases().poll(name, job.terms());\n"
                            + "        try (Workers.Permit permit = free.get()) {"),
            new Mutation(
                    "a permit is returned when the takeover fails",
                    "JobPass",
                    "try (Workers.Permit permit = free.get()) {\n            busy = takeOver(queued, seen, permit);\n"
                            + "        }",
                    "Workers.Permit permit = free.get();\n        busy = takeOver(queued, seen, permit);\n"
                            + "        permit.close();"),
            new Mutation(
                            "the lease is released when the work throws an error",
                            "SlotRun",
                            "} catch (Throwable e) {\n            // The outcome has only its message.",
                            "} catch (AssertionError e) {\n            // The outcome has only its message.")
                    .and("SlotRun", RELEASE_ALWAYS, RELEASE_AFTER_SUCCESS),
            new Mutation(
                            "a job listener that throws does not end a run",
                            "CarefulListener",
                            "} catch (Throwable e) {",
                            "} catch (ArithmeticException e) {")
                    .and("SlotRun", RELEASE_ALWAYS, RELEASE_AFTER_SUCCESS),
            new Mutation(
                    "a job that no thread could check is checked again", "Workers", "refused.accept(e);", "throw e;"),
            new Mutation(
                    "a scheduler that cannot start a thread does not start",
                    "PassScheduler",
                    "agenda.plan(job.name(), clock.now().plus(RETRY_AFTER));",
                    "agenda.planBefore(job.name(), clock.now().plus(RETRY_AFTER));"),
            new Mutation(
                    "what is known about a run is forgotten when it ends",
                    "JobWatch",
                    "known == null || known.inRecord ? now",
                    "known == null ? now"),
            new Mutation(
                    "a takeover replaces only the token that was seen",
                    RULES,
                    "if (move.seen() != null && (record == null || !record.token().equals(move.seen()))) {",
                    "if (false) {"),
            new Mutation(
                            "the callers of a lost call are told that their outcome is unknown",
                            COMBINER,
                            "requests.forEach(each -> each.failUnlessAnswered(e));",
                            "requests.get(0).failUnlessAnswered(e);")
                    .and(COMBINER, "flight.requests.forEach(this::sendAloneUnlessSettled);", ""),
            new Mutation(
                    "each caller of a call gets the answer to its own request",
                    COMBINER,
                    "values.get(i).ifPresent(requests.get(i)::answer);",
                    "values.get(i).ifPresent(requests.get(values.size() - 1 - i)::answer);"),
            new Mutation(
                    "no answer of a call is dropped",
                    COMBINER,
                    "for (int i = 0; i < values.size(); i++) {",
                    "for (int i = 1; i < values.size(); i++) {"),
            new Mutation(
                    "a request at fault fails alone",
                    COMBINER,
                    "// One of the requests is at fault. Each is made alone, and its caller gets its own error.",
                    "requests.forEach(each -> each.failUnlessAnswered(new StoreUnavailableException(\"poisoned\", e)));"),
            new Mutation("a slow call is overtaken", COMBINER, "leave(slow);", ""),
            new Mutation(
                    "callers of one name are served one after the other",
                    COMBINER,
                    "if (ahead != null) {\n                ahead.add(each);",
                    "if (false) {\n                ahead.add(each);"));

    private Mutations() {}
}
