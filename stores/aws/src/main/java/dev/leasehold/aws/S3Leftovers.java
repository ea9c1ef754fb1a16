package dev.leasehold.aws;

import dev.leasehold.model.StoreUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Objects of a register that were replaced long ago, found in the lists of keys. The last value of a removed key is one:
 * nobody writes this key again, so no write of the key would ever delete it. Lists are read by commands that change
 * nothing, so the objects are deleted with the next removal of any key. Safe for use by many threads.
 */
final class S3Leftovers {
    private static final int MOST = 1000;

    private final S3Client client;
    private final Set<String> names = new LinkedHashSet<>();

    S3Leftovers(S3Client client) {
        this.client = client;
    }

    /** Looks for them in one page of a list. The objects of a key follow each other, the newest first. */
    synchronized void see(S3Client.Page page) {
        String known = "";
        Instant successor = page.at();
        for (S3Client.Entry entry : page.entries()) {
            String series = series(entry.name());
            if (series.isEmpty()) {
                continue;
            }
            if (series.equals(known) && S3Series.isOver(successor, page.at()) && names.size() < MOST) {
                names.add(entry.name());
            }
            known = series;
            successor = entry.modified();
        }
    }

    /** The name of the object without its number; empty if it is not one of a register. */
    private String series(String object) {
        int end = object.lastIndexOf(S3Names.END);
        if (!S3Series.isName(object) || end != object.length() - S3Series.DIGITS - 1) {
            return "";
        }
        try {
            S3Names.decode(object.substring(client.prefix().length(), end));
            return object.substring(0, end);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** Deletes what was found. A failure does no harm: the next list finds them again. */
    void delete() {
        List<String> found;
        synchronized (this) {
            found = new ArrayList<>(names);
            names.clear();
        }
        try {
            if (!found.isEmpty()) {
                client.delete(found);
            }
        } catch (StoreUnavailableException e) {
            // The removal itself took effect.
        }
    }
}
