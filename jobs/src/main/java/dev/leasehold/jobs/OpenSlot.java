package dev.leasehold.jobs;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A slot that is to be run, or is being run.
 *
 * @param lease the name its run takes: the job's, or the one it falls back to
 * @param supersedes whether it takes the lease from the run before it
 * @param attempt which try comes next or is going on, from 1
 * @param failures how often its work has failed
 * @param deaths how often its runner was lost
 * @param notBefore it is not started before this
 * @param notAfter it is given up if it has not started by then; null for no limit
 * @param run who runs it; null while it is queued
 */
public record OpenSlot(
        Instant slot,
        LeaseName lease,
        boolean supersedes,
        int attempt,
        int failures,
        int deaths,
        Instant notBefore,
        @Nullable Instant notAfter,
        @Nullable Run run) {

    /** The authority is the token; the holder is for people. */
    public record Run(FencingToken token, Holder holder, Instant since) {}

    public boolean isQueued() {
        return run == null;
    }

    boolean isRunBy(FencingToken token) {
        return run != null && run.token.equals(token);
    }

    boolean wasNeverStarted() {
        return isQueued() && attempt == 1;
    }

    OpenSlot running(FencingToken token, Holder holder, Instant now) {
        return new OpenSlot(
                slot, lease, false, attempt, failures, deaths, notBefore, null, new Run(token, holder, now));
    }

    /** After its work failed: the next try, later. */
    OpenSlot failedUntil(Instant retry) {
        return new OpenSlot(slot, lease, false, attempt + 1, failures + 1, deaths, retry, null, null);
    }

    /** After its runner was lost: the next try, by whoever comes. */
    OpenSlot orphaned(Instant now) {
        return new OpenSlot(slot, lease, false, attempt + 1, failures, deaths + 1, now, null, null);
    }

    /** Its machine was told to stop, and hands it on. */
    OpenSlot handedOn(Instant now) {
        return new OpenSlot(slot, lease, false, attempt + 1, failures, deaths, now, null, null);
    }

    OpenSlot on(LeaseName other) {
        return new OpenSlot(slot, other, false, attempt, failures, deaths, notBefore, notAfter, run);
    }
}
