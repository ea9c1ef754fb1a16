package dev.leasehold.agents;

import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Removes the names of files that are gone, so that the store does not grow for ever. */
public final class ForgottenFiles {
    /** Longer than any pause of a process that removes a name it has just renewed. */
    private static final Duration WHILE_REMOVING = Duration.ofHours(1);

    private static final int PAGE = 500;
    private static final int MOST_NAMES = 5000;

    private ForgottenFiles() {}

    /**
     * Erases the name while its lease is held, so that nobody else can hold it. Releases it if this
     * store or this caller may not erase names.
     */
    static void forget(LeaseStore store, Grant grant) {
        List<Renewal> renewal = store.renew(List.of(new RenewRequest(grant, WHILE_REMOVING)));
        if (renewal.get(0) instanceof Renewal.Renewed && !erased(store, grant.name())) {
            store.release(grant, Duration.ZERO);
        }
    }

    private static boolean erased(LeaseStore store, LeaseName name) {
        try {
            return store.eraseScratch(name);
        } catch (RuntimeException e) {
            // A server does not let every key do this. The name stays, which costs only space.
            return false;
        }
    }

    /** Erases the free names below a root whose files are gone. Returns how many. */
    public static int sweep(LeaseStore store, String root, OwnedLeases owned, int most) {
        String prefix = FilePlace.prefix(root);
        String after = "";
        int forgotten = 0;
        for (int seen = 0; seen < MOST_NAMES && forgotten < most; ) {
            List<LeaseName> names = store.names(prefix, after, PAGE);
            for (LeaseName name : names) {
                if (forgotten < most && isGone(store, root, prefix, name) && forgetFree(store, owned, name)) {
                    forgotten++;
                }
                after = name.value();
                seen++;
            }
            if (names.size() < PAGE) {
                break;
            }
        }
        return forgotten;
    }

    private static boolean forgetFree(LeaseStore store, OwnedLeases owned, LeaseName name) {
        LeaseSnapshot lease = store.inspect(name).orElse(null);
        if (lease == null || !lease.isFree() || !(owned.claim(name) instanceof OwnedLeases.Held held)) {
            return false;
        }
        forget(store, held.grant());
        return store.inspect(name).isEmpty();
    }

    private static boolean isGone(LeaseStore store, String root, String prefix, LeaseName name) {
        String path;
        if (FilePlace.isReadable(name)) {
            path = root + "/" + name.value().substring(prefix.length());
        } else {
            LeaseRecord record = store.inspect(name).map(LeaseSnapshot::lease).orElse(null);
            String known = record == null ? null : VersionMark.path(record);
            if (known == null) {
                return false;
            }
            path = known;
        }
        try {
            return Files.notExists(Path.of(path), LinkOption.NOFOLLOW_LINKS);
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
