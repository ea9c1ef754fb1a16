package dev.leasehold.agents;

import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes the names of files that are gone, so that the store does not grow for ever. */
public final class ForgottenFiles {
    private static final int PAGE = 500;
    private static final int MOST_NAMES = 5000;

    private ForgottenFiles() {}

    /** Releases the lease and forgets its name, unless somebody else acquires it meanwhile. */
    static void forget(LeaseStore store, Grant grant) {
        store.release(grant, Duration.ZERO);
        forget(store, List.of(new ForgetRequest(grant.name(), grant.token())));
    }

    private static List<Forgetting> forget(LeaseStore store, List<ForgetRequest> requests) {
        try {
            return store.forget(requests);
        } catch (RuntimeException e) {
            // A server does not let every key do this. The names stay, which costs only space.
            return List.of();
        }
    }

    /** Forgets the free names below a root whose files are gone, with their copies. Returns how many. */
    static int sweep(LeaseStore store, Workspace files, String root, int most) {
        String prefix = FilePlace.prefix(root);
        String after = "";
        List<ForgetRequest> gone = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        for (int seen = 0; seen < MOST_NAMES && gone.size() < most; ) {
            List<LeaseSnapshot> leases = store.list(prefix, after, PAGE);
            for (LeaseSnapshot lease : leases) {
                LeaseName name = lease.lease().name();
                String path = gone.size() < most && lease.isFree() ? pathIfGone(root, prefix, lease.lease()) : null;
                if (path != null) {
                    gone.add(new ForgetRequest(name, lease.lease().token()));
                    paths.add(path);
                }
                after = name.value();
                seen++;
            }
            if (leases.size() < PAGE) {
                break;
            }
        }
        List<Forgetting> outcomes = gone.isEmpty() ? List.of() : forget(store, gone);
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) == Forgetting.FORGOTTEN) {
                files.forget(
                        new FilePlace(paths.get(i), paths.get(i), gone.get(i).name()));
            }
        }
        return Collections.frequency(outcomes, Forgetting.FORGOTTEN);
    }

    private static @Nullable String pathIfGone(String root, String prefix, LeaseRecord record) {
        String path;
        if (FilePlace.isReadable(record.name())) {
            path = FilePlace.of(root, record.name().value().substring(prefix.length()))
                    .path();
        } else {
            String known = VersionMark.path(record);
            if (known == null) {
                return null;
            }
            path = known;
        }
        try {
            return Files.notExists(Path.of(path), LinkOption.NOFOLLOW_LINKS) ? path : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
