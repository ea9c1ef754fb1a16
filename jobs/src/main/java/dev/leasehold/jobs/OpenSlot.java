package dev.leasehold.jobs;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A slot that is queued or running.
 *
 * @param lease the lease that its run acquires: the job's name, or the fallback name
 * @param supersedes whether it takes the lease from the slot before it
 * @param attempt the number of the next or current attempt, from 1
 * @param failures how often its work has failed
 * @param deaths how often its runner was lost
 * @param notBefore the earliest start
 * @param notAfter the latest start, after which it is given up; null for no limit
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

    /** The run of a slot. The token identifies it; the holder is for people. */
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

    /** After its work failed: queued for a later attempt. */
    OpenSlot failedUntil(Instant retry) {
        return new OpenSlot(slot, lease, false, attempt + 1, failures + 1, deaths, retry, null, null);
    }

    /** After its runner was lost: queued for an attempt on any machine. */
    OpenSlot orphaned(Instant now) {
        return new OpenSlot(slot, lease, false, attempt + 1, failures, deaths + 1, now, null, null);
    }

    /** After its machine was stopped: queued for an attempt on another machine. */
    OpenSlot handedOn(Instant now) {
        return new OpenSlot(slot, lease, false, attempt + 1, failures, deaths, now, null, null);
    }

    OpenSlot on(LeaseName other) {
        return new OpenSlot(slot, other, false, attempt, failures, deaths, notBefore, notAfter, run);
    }
}
