package dev.leasehold.simulator;

import static dev.leasehold.simulator.Mutation.CORE;
import static dev.leasehold.simulator.Mutation.JOBS;
import static dev.leasehold.simulator.Mutation.SIMULATOR;

import java.util.List;

/** The guards that are taken out, one at a time. */
final class Mutations {
    private static final String RULES = CORE + "internal/LeaseRules.java";
    private static final String RECORD = CORE + "model/LeaseRecord.java";
    private static final String WORK = CORE + "work/WorkRules.java";
    private static final String SLOT_FILE = CORE + "internal/disk/SlotFile.java";
    private static final String SLOT_PAGES = CORE + "internal/disk/SlotPages.java";
    private static final String STAGED_FILE = CORE + "guard/StagedFile.java";

    private static final String HEARTBEAT = CORE + "internal/Heartbeat.java";
    private static final String ASKED = "asked = context.ticker().read();";
    private static final String ANSWER = "Acquisition answer = ask(wait.minus(started.elapsedUntil(asked)), waiting);";
    private static final String GIVES_BACK = "interrupted = record(end);\n        } finally {\n            giveBack();";
    private static final String GIVES_BACK_AFTER_A_GOOD_END =
            "interrupted = record(end);\n            giveBack();\n        } finally {";

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
                    CORE + "store/CasLeaseStore.java",
                    "if (write == null || register",
                    "if (write != null && write.released() && register.remove(key, reading.version())) {\n"
                            + "return Optional.of(step.answer());\n}\nif (write == null || register"),
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
                    CORE + "internal/Heartbeat.java",
                    "Duration gap = held.renewed(asked);",
                    "Duration gap = held.renewed(context.ticker().read());"),
            new Mutation(
                    "trust counts from before the acquisition",
                    CORE + "internal/Acquirer.java",
                    ASKED + "\n                " + ANSWER,
                    ANSWER + "\n                " + ASKED),
            new Mutation(
                    "the monotonic clock is looked at too",
                    CORE + "spi/Stamp.java",
                    "Math.max(later.monotonicNanos - monotonicNanos, later.sleepingNanos - sleepingNanos)",
                    "later.sleepingNanos - sleepingNanos"),
            new Mutation(
                    "a clock that counts while the machine sleeps is looked at too",
                    CORE + "spi/Stamp.java",
                    "Math.max(later.monotonicNanos - monotonicNanos, later.sleepingNanos - sleepingNanos)",
                    "later.monotonicNanos - monotonicNanos"),
            new Mutation(
                    "a margin is kept for clocks that run unequally",
                    CORE + "model/LeaseTerms.java",
                    "return ttl.minus(margin());",
                    "return ttl;"),
            new Mutation(
                    "store time never runs backwards",
                    RULES,
                    "return now.isBefore(record.seen()) ? record.seen() : now;",
                    "return now;"),
            new Mutation(
                    "a clock that jumped back is waited for one term only",
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
                    CORE + "internal/Acquirer.java",
                    "answer = store.acquire(name, attempt, holder, ttl);",
                    "attempt = AttemptId.of(context.ids().unique());\n"
                            + "answer = store.acquire(name, attempt, holder, ttl);"),
            new Mutation(
                    "holders are not compared: the same one waits too",
                    RULES,
                    "if (record.deadline().isAfter(now)) {",
                    "if (record.deadline().isAfter(now) && !record.owner().holder().equals(holder)) {"),
            new Mutation(
                    "the same holder gets a new token",
                    RULES,
                    "if (record.owner().attempt().equals(attempt)) {",
                    "if (record.owner().attempt().equals(attempt) || record.owner().holder().equals(holder)) {"),
            new Mutation(
                    "only its own attempt is abandoned",
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
                    "history is written in the step it tells of",
                    CORE + "store/CasLeaseStore.java",
                    "if (step.transfers()) {",
                    "if (step.transfers() && history.isEmpty()) {"),
            new Mutation(
                    "a target refuses every lower token",
                    CORE + "guard/FenceState.java",
                    "if (grant.token().isBelow(raised)) {",
                    "if (grant.token().value() + 1 < raised.value()) {"),
            new Mutation(
                    "a target admits the very token it was raised to",
                    CORE + "guard/FenceState.java",
                    "if (grant.token().isBelow(raised)) {",
                    "if (!raised.isBelow(grant.token())) {"),
            new Mutation(
                    "a target refuses a token from another attempt",
                    CORE + "guard/FenceState.java",
                    "if (grant.token().equals(raised) && !grant.agreesWith(attempt)) {",
                    "if (false) {"),
            new Mutation(
                    "a target is raised before the first read",
                    SIMULATOR + "Worker.java",
                    "if (fence.raise(lease.grant()) instanceof Admission.Refused refused) {",
                    "if (false) {\nAdmission.Refused refused = null;"),
            new Mutation(
                    "only the current epoch completes a work item",
                    WORK,
                    "if (item == null || !claim.covers(item)) {\n            return stale(claim, item, null);\n        }\n"
                            + "        if (item.state() == WorkState.DONE) {",
                    "if (item == null) {\n            return stale(claim, item, null);\n        }\n        if (false) {"),
            new Mutation(
                    "what is done is not claimed again",
                    WORK,
                    "if (item != null && item.state() == WorkState.DONE) {",
                    "if (false) {"),
            new Mutation(
                    "a file's check and write are one step",
                    CORE + "guard/DiskFence.java",
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
            new Mutation("a fence is locked", SLOT_FILE, "lock = lock(channel, path, start + wait.toNanos());", ""),
            new Mutation(
                    "a fence is durable before the file is replaced",
                    SLOT_FILE,
                    "channel.force(false);\n        pages.noteDone",
                    "pages.noteDone"),
            new Mutation(
                    "a fence has two copies, replaced in turn",
                    SLOT_PAGES,
                    "COPIES_START + (sequence % 2) * size.copyBytes()",
                    "COPIES_START"),
            new Mutation(
                    "a fence's name is durable before anything is made of it",
                    SLOT_FILE,
                    "if (latest.sequence() == 0) {",
                    "if (false) {"),
            new Mutation("what is staged is durable", STAGED_FILE, "channel.force(true);", ""),
            new Mutation(
                    "a file is in place durably before that is said",
                    STAGED_FILE,
                    "Disk.syncDirectory(step.target().directory());\n        if (step.state().former() != null) {",
                    "if (step.state().former() != null) {"),
            new Mutation(
                    "a slot's identity has its instant",
                    JOBS + "Slot.java",
                    "return job + \"@\" + at;",
                    "return job.value();"),
            new Mutation(
                    "a job's record is replaced only as it was read",
                    JOBS + "SlotBook.java",
                    "register.compareAndSet(PREFIX + job, reading.version(), JobRecordText.format(after))",
                    "register.compareAndSet(PREFIX + job, register.read(PREFIX + job).version(),"
                            + " JobRecordText.format(after))"),
            new Mutation(
                    "what is settled is remembered",
                    JOBS + "Settling.java",
                    "ifPresent(newest -> record = record.withWatermark(newest));",
                    "ifPresent(newest -> {});"),
            new Mutation(
                    "what is not made up for is recorded as dropped",
                    JOBS + "Settling.java",
                    "drop(job.schedule(), after, firstWanted, reason);",
                    ""),
            new Mutation(
                            "a look at the leases survives that there is no thread for a renewal",
                            HEARTBEAT,
                            "} catch (RuntimeException | Error e) {\n            asking = false;",
                            "} catch (ArithmeticException e) {\n            asking = false;")
                    .and(
                            HEARTBEAT,
                            "} catch (RuntimeException | Error e) {\n            giveAllUp(e);",
                            "} catch (ArithmeticException e) {\n            giveAllUp(e);"),
            new Mutation(
                    "a loss for whose telling there is no thread is told all the same",
                    CORE + "Leases.java",
                    "callBackHere(callback);\n        }",
                    "throw noThread;\n        }"),
            new Mutation(
                    "a permit is given back when a lease could not be asked for",
                    JOBS + "JobLook.java",
                    "try (Workers.Permit permit = free.get()) {\n"
                            + "            attempt = engine.leases().poll(name, job.terms());",
                    "attempt = engine.leases().poll(name, job.terms());\n"
                            + "        try (Workers.Permit permit = free.get()) {"),
            new Mutation(
                    "a permit is given back when a lease could not be taken over",
                    JOBS + "JobLook.java",
                    "try (Workers.Permit permit = free.get()) {\n            busy = takeOver(queued, seen, permit);\n"
                            + "        }",
                    "Workers.Permit permit = free.get();\n        busy = takeOver(queued, seen, permit);\n"
                            + "        permit.close();"),
            new Mutation(
                            "work that ends in an error has ended",
                            JOBS + "SlotRun.java",
                            "} catch (Throwable e) {\n            // The outcome has only its message.",
                            "} catch (AssertionError e) {\n            // The outcome has only its message.")
                    .and(JOBS + "SlotRun.java", GIVES_BACK, GIVES_BACK_AFTER_A_GOOD_END),
            new Mutation(
                            "a listener of jobs that throws ends no run",
                            JOBS + "CarefulListener.java",
                            "} catch (Throwable e) {",
                            "} catch (ArithmeticException e) {")
                    .and(JOBS + "SlotRun.java", GIVES_BACK, GIVES_BACK_AFTER_A_GOOD_END),
            new Mutation(
                    "a job that no thread could look at is looked at again",
                    JOBS + "Workers.java",
                    "refused.accept(e);",
                    "throw e;"),
            new Mutation(
                    "a scheduler that gets no thread at all does not start",
                    JOBS + "JobEngine.java",
                    "agenda.plan(job.name(), clock.now().plus(AFTER_TROUBLE));",
                    "agenda.planBefore(job.name(), clock.now().plus(AFTER_TROUBLE));"),
            new Mutation(
                    "what was known of a run is forgotten when it has ended",
                    JOBS + "JobWatch.java",
                    "known == null || known.inRecord ? now",
                    "known == null ? now"),
            new Mutation(
                    "a takeover replaces only the token that was seen",
                    RULES,
                    "if (move.seen() != null && (record == null || !record.token().equals(move.seen()))) {",
                    "if (false) {"));

    private Mutations() {}
}
