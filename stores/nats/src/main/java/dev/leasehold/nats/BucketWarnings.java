package dev.leasehold.nats;

import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.util.ArrayList;
import java.util.List;

/** The settings with which a bucket may lose a token. A bucket that somebody else made may have any of them. */
final class BucketWarnings {
    private BucketWarnings() {}

    /** One sentence for each. */
    static List<String> of(StreamConfiguration settings) {
        List<String> warnings = new ArrayList<>();
        if (settings.getStorageType() != StorageType.File) {
            warnings.add("the bucket is kept in memory: a restart of NATS loses every token");
        }
        if (settings.getAllowDirect()) {
            warnings.add("replicas of the bucket answer reads (allow_direct), and may lag: turn that off");
        }
        if (!settings.getMaxAge().isZero()) {
            warnings.add("the bucket has a ttl: NATS removes counters, and tokens are issued again");
        }
        if (settings.getDiscardPolicy() != DiscardPolicy.New && isLimited(settings)) {
            warnings.add(
                    "the bucket removes its oldest keys when it is full (discard: old), and tokens are issued again:"
                            + " set discard to new");
        }
        return warnings;
    }

    private static boolean isLimited(StreamConfiguration settings) {
        return settings.getMaxMsgs() > 0 || settings.getMaxBytes() > 0;
    }
}
