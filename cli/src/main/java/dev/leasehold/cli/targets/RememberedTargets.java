package dev.leasehold.cli.targets;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.RelativeTime;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.HostName;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator does with the targets that the store remembers: sees, raises or gives them up. */
public final class RememberedTargets {
    private static final String HIDDEN_PASSWORD = "***";

    private RememberedTargets() {}

    /**
     * The targets that can be raised from here, without those that are named already. The others
     * are reported with the command that raises them, and added to {@code notRaised}.
     */
    public static List<TargetOption> reachable(
            List<KnownTarget> known,
            List<TargetOption> named,
            Grant grant,
            List<String> notRaised,
            Invocation invocation) {
        List<TargetOption> found = new ArrayList<>();
        for (KnownTarget target : known) {
            TargetOption here = here(target, grant.name(), invocation);
            if (here == null) {
                notRaised.add(target.shown());
                invocation.console().say(elsewhere(target, grant));
            } else if (!here.isIn(named)) {
                found.add(here);
            }
        }
        return found;
    }

    /**
     * The targets that may still be guarded by the lease: those whose fence is found, and those that
     * only another host can look at.
     */
    public static List<KnownTarget> notGone(List<KnownTarget> known, LeaseName name, Invocation invocation) {
        List<KnownTarget> left = new ArrayList<>();
        for (KnownTarget target : known) {
            boolean onOtherHost = !target.isEverywhere() && !target.host().equals(HostName.get());
            if (onOtherHost || here(target, name, invocation) != null) {
                left.add(target);
            }
        }
        return left;
    }

    private static String elsewhere(KnownTarget target, Grant grant) {
        return target.shown()
                + " was not raised: it is not here, or no longer guarded. If it still exists, raise it there"
                + " with: leasehold raise " + SafeText.shellWord(target.place()) + " --name " + grant.name()
                + " --token " + grant.token();
    }

    /** The target, if its fence can be read here and is the same; a path may be another file on another host. */
    static @Nullable TargetOption here(KnownTarget target, LeaseName name, Invocation invocation) {
        try {
            TargetOption option = option(target);
            FenceState state =
                    option == null ? null : option.state(name, invocation).orElse(null);
            return state != null && state.name().equals(name) && isSame(target, state) ? option : null;
        } catch (TargetUnavailableException | IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable TargetOption option(KnownTarget target) {
        if (target.isEverywhere()) {
            return target.place().contains(HIDDEN_PASSWORD) ? null : TargetOption.remote(target.place());
        }
        try {
            Path path = Path.of(target.place());
            return TargetOption.isBareRepository(path) ? TargetOption.remote(target.place()) : TargetOption.file(path);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static boolean isSame(KnownTarget target, FenceState state) {
        return target.fence() == null ? state.id() == null : target.fence().equals(state.id());
    }

    /** The targets for people, one line each. */
    public static List<String> lines(List<KnownTarget> known, Instant now) {
        List<String> lines = new ArrayList<>();
        for (KnownTarget target : known) {
            lines.add(SafeText.escape(target.shown()) + ": raised to token " + target.raised() + ", "
                    + RelativeTime.ago(target.at(), now));
        }
        return lines;
    }

    public static List<Json> json(List<KnownTarget> known) {
        List<Json> targets = new ArrayList<>();
        for (KnownTarget target : known) {
            targets.add(new Json()
                    .put("target", target.place())
                    .put("host", target.host())
                    .put("raised", target.raised().value())
                    .put("at", target.at()));
        }
        return targets;
    }
}
