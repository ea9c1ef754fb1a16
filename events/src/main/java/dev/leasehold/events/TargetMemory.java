package dev.leasehold.events;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.NamedRecords;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The targets of each lease, remembered in the store. A target is remembered after it was raised,
 * so its fence is never below what is remembered, unless the fence was set back.
 */
public final class TargetMemory {
    private static final String HEADER = "leasehold targets 1";
    private static final String PREFIX = "targets/";
    private static final String TARGET = "target";

    /** As many as fit into a register, which is some hundred with ordinary paths. */
    private static final int MAX_BYTES = 90_000;

    private final CasRegister register;

    public TargetMemory(CasRegister register) {
        this.register = register;
    }

    /** The names whose targets are remembered and that sort after {@code after}, in order. */
    public List<LeaseName> names(String after, int limit) {
        return new NamedRecords(register, PREFIX).names(after, limit);
    }

    /** The names that start with {@code prefix}, sort after {@code after} and have targets, in order. */
    public List<LeaseName> names(String prefix, String after, int limit) {
        return new NamedRecords(register, PREFIX).names(prefix, after, limit);
    }

    /** The targets of a lease, the last raised first. */
    public List<KnownTarget> of(LeaseName name) {
        return parse(name, register.read(PREFIX + name));
    }

    /** Remembers targets that were raised to a token. The oldest are given up if there are too many. */
    public void add(LeaseName name, List<KnownTarget> raised) {
        Contention.system().resolve("the targets of " + name, () -> {
            CasRegister.Reading reading = register.read(PREFIX + name);
            List<KnownTarget> after = readable(name, reading);
            boolean changed = false;
            for (KnownTarget target : raised) {
                changed |= add(target, reading.at(), after);
            }
            boolean done = !changed || register.compareAndSet(PREFIX + name, reading.version(), format(after));
            return done ? Optional.of(after) : Optional.empty();
        });
    }

    /** A record that cannot be read is replaced. Whoever reads it has been warned. */
    private static List<KnownTarget> readable(LeaseName name, CasRegister.Reading reading) {
        try {
            return parse(name, reading);
        } catch (StoreCorruptException e) {
            return new ArrayList<>();
        }
    }

    private static boolean add(KnownTarget target, Instant at, List<KnownTarget> to) {
        if (covers(to, target)) {
            return false;
        }
        to.removeIf(known -> known.isReplacedBy(target));
        to.add(0, new KnownTarget(target.place(), target.host(), target.fence(), target.raised(), at));
        return true;
    }

    /** Whether the target is remembered with this token or a higher one. */
    public static boolean covers(List<KnownTarget> known, KnownTarget target) {
        for (KnownTarget one : known) {
            boolean sameFence =
                    one.fence() == null || target.fence() == null || one.fence().equals(target.fence());
            if (sameFence && one.isReplacedBy(target) && !one.raised().isBelow(target.raised())) {
                return true;
            }
        }
        return false;
    }

    /** Removes what is remembered about a lease. */
    public void remove(LeaseName name) {
        register.remove(PREFIX + name, register.read(PREFIX + name).version());
    }

    /** What is remembered about this fence; null if nothing is. */
    public static @Nullable KnownTarget find(List<KnownTarget> known, FenceState fence) {
        for (KnownTarget target : known) {
            if (fence.id() != null && fence.id().equals(target.fence())) {
                return target;
            }
        }
        return null;
    }

    /**
     * Whether the fence stands below a token to which it was raised before.
     *
     * @param known what the store remembered before the fence was read
     */
    public static boolean wentBack(List<KnownTarget> known, FenceState fence) {
        KnownTarget before = find(known, fence);
        return before != null && fence.raised().isBelow(before.raised());
    }

    /** Whether the store remembers this fence with the token of a step, or a higher one. */
    public static boolean covers(List<KnownTarget> known, FenceState fence, FencingToken token) {
        KnownTarget before = find(known, fence);
        return before != null && !before.raised().isBelow(token);
    }

    private static String format(List<KnownTarget> targets) {
        Fields fields = new Fields(HEADER);
        int left = MAX_BYTES;
        for (KnownTarget target : targets) {
            // A character takes at most three bytes.
            left -= 3 * target.line().length() + TARGET.length() + 2;
            if (left > 0) {
                fields.put(TARGET, target.line());
            }
        }
        return fields.format();
    }

    private static List<KnownTarget> parse(LeaseName name, CasRegister.Reading reading) {
        List<KnownTarget> targets = new ArrayList<>();
        if (reading.value().isEmpty()) {
            return targets;
        }
        try {
            for (String line : Fields.parse(HEADER, reading.value().get()).all(TARGET)) {
                targets.add(KnownTarget.parse(line));
            }
            return targets;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoreCorruptException(
                    "the record of the targets of " + name + " cannot be read: " + e.getMessage()
                            + ". Nothing was changed",
                    e);
        }
    }
}
