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
    private final String root;
    private final Set<String> names = new LinkedHashSet<>();

    /** @param root how the names of all objects of the register start */
    S3Leftovers(S3Client client, String root) {
        this.client = client;
        this.root = root;
    }

    /** Looks for them in one page of a list. The objects of a key follow each other, the newest first. */
    synchronized void see(S3Client.Page page) {
        String known = "";
        Instant successor = page.at();
        for (S3Client.Entry entry : page.entries()) {
            if (!S3Series.isName(entry.name())) {
                continue;
            }
            String series = entry.name().substring(0, entry.name().length() - S3Series.DIGITS);
            boolean over = series.equals(known) && S3Series.isOver(successor, page.at());
            if (over && names.size() < MOST && isKey(series)) {
                names.add(entry.name());
            }
            known = series;
            successor = entry.modified();
        }
    }

    /** Fences keep objects in the same way, under names without the dash, and may need the older ones. */
    private boolean isKey(String series) {
        int end = series.length() - 1;
        try {
            return series.charAt(end) == S3Names.END
                    && end > root.length()
                    && !S3Names.decode(series.substring(root.length(), end)).isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
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
