package dev.leasehold.aws;

import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A series of objects with rising numbers, of which the highest is current. Objects are only ever created,
 * under the condition that they do not exist, and never overwritten.
 *
 * <p>The highest object is never deleted, so numbers never come back. An older one is deleted {@link #KEPT}
 * after its successor was created. A writer that was slower than half of this does not rely on the
 * condition alone: it may have filled the gap of a deleted object (ADR 36).
 *
 * @param client the bucket
 * @param prefix the beginning of the names of its objects
 */
record S3Series(S3Client client, String prefix) {
    static final Duration KEPT = Duration.ofMinutes(10);

    static final int DIGITS = 19;
    private static final int MOST_DELETED = 1000;
    private static final int MOST_LISTED = 8;

    /** The number of writes between two looks for objects to delete. */
    private static final int DELETE_EVERY = 16;

    /**
     * The highest object.
     *
     * @param number zero if there is none
     * @param size of its content
     * @param at the time of the service at which it had no successor
     */
    record Top(long number, long size, Instant at) {}

    /** Skips objects that others have put under the same prefix: some services show unfinished uploads. */
    Top top() {
        String after = null;
        while (true) {
            S3Client.Page page = client.list(prefix, after, MOST_LISTED);
            for (S3Client.Entry entry : page.entries()) {
                if (isOwn(entry.name())) {
                    return new Top(number(entry.name()), entry.size(), page.at());
                }
                after = entry.name();
            }
            if (page.isLast() || page.entries().isEmpty()) {
                return new Top(0, 0, page.at());
            }
        }
    }

    private boolean isOwn(String name) {
        return name.length() == prefix.length() + DIGITS && isName(name);
    }

    /** Names sort in the order of falling numbers, so the highest number is the first of a list. */
    String name(long number) {
        String digits = Long.toString(Long.MAX_VALUE - number);
        return prefix + "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** Whether this can be the name of an object of a series. */
    static boolean isName(String name) {
        int start = name.length() - DIGITS;
        for (int i = Math.max(start, 0); i < name.length(); i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return false;
            }
        }
        return start > 0;
    }

    /** @param name for which {@link #isName} */
    static long number(String name) {
        return Long.MAX_VALUE - Long.parseLong(name.substring(name.length() - DIGITS));
    }

    /**
     * Creates the successor of the object that was seen as the highest. False if another writer did.
     *
     * @throws StoreUnavailableException if it is unknown
     */
    boolean append(Top seen, byte[] body, Map<String, String> metadata) {
        long next = seen.number() + 1;
        S3Client.Creation creation = client.create(name(next), body, metadata);
        if (!creation.created()) {
            return false;
        }
        boolean slow = Duration.between(seen.at(), creation.at()).compareTo(KEPT.dividedBy(2)) > 0;
        if (slow && top().number() != next) {
            throw new StoreUnavailableException("object " + name(next) + " in bucket '" + client.bucket()
                    + "' was written so late that it is unknown whether it took effect");
        }
        return true;
    }

    /** Whether an object may be deleted whose successor was made at this time. */
    static boolean isOver(Instant successor, Instant now) {
        return !successor.plus(KEPT).isAfter(now);
    }

    /**
     * Deletes objects that were replaced long ago, after some of the writes. A failure does no harm: a later
     * writer repeats it.
     *
     * @param written the number of the object that was just created
     * @param needed the number of an older object that must stay; zero if there is none
     */
    void deleteOldSometimes(long written, long needed) {
        if (written % DELETE_EVERY == 0) {
            deleteOld(written, needed);
        }
    }

    /** The same, after every write. */
    void deleteOld(long written, long needed) {
        try {
            S3Client.Page page = client.list(prefix, name(written), MOST_DELETED);
            Instant successor = page.at();
            List<String> old = new ArrayList<>();
            for (S3Client.Entry entry : page.entries()) {
                if (!isOwn(entry.name())) {
                    continue;
                }
                if (isOver(successor, page.at()) && number(entry.name()) != needed) {
                    old.add(entry.name());
                }
                successor = entry.modified();
            }
            if (!old.isEmpty()) {
                client.delete(old);
            }
        } catch (StoreUnavailableException e) {
            // The write itself took effect.
        }
    }
}
