package dev.leasehold.cli.leased;

import dev.leasehold.Stores;
import dev.leasehold.cli.command.Interventions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives the lease of a killed run back. The supervisor of the run's command starts this program
 * when the run is gone and every process of the command is dead, so that a retry need not wait for
 * the ttl. It shows the whole grant: by then another holder may have the lease, and a stale grant
 * changes nothing. Nobody reads its output, and the supervisor ends it after ten seconds.
 */
public final class GiveBack {
    private static final int MAX_TRIES = 5;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private GiveBack() {}

    /**
     * The command for the supervisor, one word per line: this JVM, its class path, this class and
     * the first argument. The words are visible to all users, so the grant and the URL of the store,
     * which may contain a password, come from the command's environment.
     */
    static String command(Duration minHold) {
        return String.join(
                "\n",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                absolute(System.getProperty("java.class.path")),
                "dev.leasehold.cli.leased.GiveBack",
                Long.toString(minHold.toMillis()));
    }

    /** The command may run in another directory. */
    private static String absolute(String classPath) {
        StringBuilder absolute = new StringBuilder();
        int from = 0;
        while (from <= classPath.length()) {
            int separator = classPath.indexOf(File.pathSeparatorChar, from);
            int end = separator < 0 ? classPath.length() : separator;
            String entry = classPath.substring(from, end);
            absolute.append(from == 0 ? "" : File.pathSeparator)
                    .append(entry.startsWith("/") ? entry : Path.of(entry).toAbsolutePath());
            from = end + 1;
        }
        return absolute.toString();
    }

    /** @param args the minimum hold in milliseconds, then the words of the command */
    public static void main(String[] args) throws InterruptedException {
        Map<String, String> environment = System.getenv();
        Grant grant = Grant.decode(environment.getOrDefault(ShownGrant.GRANT_VARIABLE, ""));
        Duration minHold = Duration.ofMillis(Long.parseLong(args[0]));
        List<String> words = Arrays.asList(args).subList(1, args.length);
        try (LeaseStore store = Stores.open(environment.getOrDefault(StoreUrl.VARIABLE, ""))) {
            RunOrigin origin = RunOrigin.of(words, environment, null);
            Interventions.repeated(MAX_TRIES, PAUSE, () -> giveBack(store, grant, minHold, origin));
        }
    }

    /** Returns whether the grant was current. */
    private static boolean giveBack(LeaseStore store, Grant grant, Duration minHold, RunOrigin origin) {
        Optional<LeaseSnapshot> seen = store.inspect(grant.name());
        if (seen.isEmpty() || seen.get().lease().lossOf(grant, seen.get().at()) != null) {
            return false;
        }
        LeaseRecord lease = seen.get().lease();
        RunEntry entry = new RunEntry(
                        seen.get().at(),
                        "killed",
                        grant.token(),
                        lease.owner().holder(),
                        Duration.between(lease.owner().at(), seen.get().at()),
                        "the run was killed; its supervisor ended the command and releases the lease",
                        new RunEntry.Renewals(lease.term(), lease.term().dividedBy(3), 0, Duration.ZERO))
                .from(origin);
        // Recorded first: whoever finds the lease free finds the reason too.
        new RunLog(store.register()).append(grant.name(), entry);
        store.release(grant, minHold);
        return true;
    }
}
