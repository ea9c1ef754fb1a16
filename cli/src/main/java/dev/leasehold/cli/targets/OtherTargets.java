package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.fence.FencedPath;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * The targets of the leases that a run named but does not hold. The environment of its command
 * carries them, because a target without a fence cannot refuse the wrong lease: the first write
 * would bind it to that lease and lock its owner out. A git remote has a fence for each lease, so
 * none is carried.
 */
final class OtherTargets {
    /** Entries {@code NAME=PATH}, divided by blanks; the path is absolute and encoded as in a URL. */
    static final String VARIABLE = "LEASEHOLD_OTHER_TARGETS";

    private OtherTargets() {}

    /** Adds a target of a lease that the command does not hold. Those of outer runs stay. */
    static void add(LeaseName owner, Path target, Map<String, String> variables, Invocation invocation) {
        String before = variables.containsKey(VARIABLE) ? variables.get(VARIABLE) : invocation.env(VARIABLE);
        String entry = owner + "=" + URLEncoder.encode(target.toAbsolutePath().toString(), StandardCharsets.UTF_8);
        variables.put(VARIABLE, before == null ? entry : before + " " + entry);
    }

    /** @throws IllegalArgumentException if the path is a target of another lease than the grant's */
    static void refuse(Path path, Grant grant, Invocation invocation) {
        String entries = invocation.env(VARIABLE);
        if (entries == null) {
            return;
        }
        for (String entry : entries.split(" ", -1)) {
            int end = entry.indexOf('=');
            LeaseName owner = Arguments.leaseName(VARIABLE, entry.substring(0, Math.max(end, 0)));
            if (!owner.equals(grant.name()) && isSame(path(entry.substring(end + 1)), path)) {
                throw new IllegalArgumentException(path
                        + ": nothing was written: 'leasehold run' names it as guarded by lease "
                        + owner + ", but this grant is of " + grant.name() + ". Its fence would be bound to "
                        + grant.name() + " and refuse " + owner + ". If the run may fall back to " + grant.name()
                        + ", give it a target of its own: --or " + grant.name() + "=TARGET");
            }
        }
    }

    private static Path path(String encoded) {
        try {
            return Path.of(URLDecoder.decode(encoded, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw Arguments.bad(VARIABLE, encoded, e);
        }
    }

    /** If one of them cannot be reached, only their names can be compared. */
    private static boolean isSame(Path other, Path path) {
        try {
            return FencedPath.at(other).fence().equals(FencedPath.at(path).fence());
        } catch (TargetUnavailableException e) {
            return other.normalize().equals(path.toAbsolutePath().normalize());
        }
    }
}
