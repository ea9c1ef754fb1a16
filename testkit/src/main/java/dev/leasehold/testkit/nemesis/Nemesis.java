package dev.leasehold.testkit.nemesis;

import dev.leasehold.testkit.UnreliableLink;
import dev.leasehold.testkit.nemesis.HolderReport.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Injects faults. A seed decides which host gets which fault, in which order and for how long.
 * Faults of different hosts overlap; a host has one fault at a time, and at least one host has
 * none, so that a holder can always take over.
 */
final class Nemesis {
    private static final long POLL_MILLIS = 10;
    private static final long MAX_JUMP_SECONDS = TimeUnit.DAYS.toSeconds(1);

    private final Random random;
    private final List<Host> hosts;
    private final Site site;
    private final HolderReports reports;
    private final List<Active> active = new ArrayList<>();
    private final Deque<FaultKind> bag = new ArrayDeque<>();
    private final Map<FaultKind, Integer> done = new EnumMap<>(FaultKind.class);

    Nemesis(long seed, List<Host> hosts, Site site, HolderReports reports) {
        this.random = new Random(seed);
        this.hosts = hosts;
        this.site = site;
        this.reports = reports;
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** A lasting fault: it ends when its purpose is reached, or after its time. */
    private record Active(Host host, BooleanSupplier reached, long until, Step heal) {
        boolean isOver() {
            return System.nanoTime() - until >= 0 || reached.getAsBoolean();
        }
    }

    /** Injects faults for this long, and returns when all of them have ended. */
    void run(Duration length) throws Exception {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - end < 0) {
            inject();
            pass(200 + random.nextInt(800));
        }
        passUntilHealed();
    }

    void passUntilHealed() throws IOException, InterruptedException {
        while (!active.isEmpty()) {
            pass(POLL_MILLIS);
        }
    }

    /** The number of faults of each kind. */
    Map<FaultKind, Integer> done() {
        return done;
    }

    private void inject() throws Exception {
        if (active.size() >= hosts.size() - 1) {
            return;
        }
        FaultKind kind = draw();
        boolean injected = true;
        if (kind == FaultKind.SERVER_RESTART) {
            site.restart();
        } else if (kind == FaultKind.FREEZE) {
            injected = makeZombie();
        } else {
            inject(kind, randomFreeHost());
        }
        done.merge(kind, injected ? 1 : 0, Integer::sum);
    }

    private void inject(FaultKind kind, Host victim) throws IOException, InterruptedException {
        switch (kind) {
            case FREEZE_ANYWHERE -> {
                victim.freeze();
                last(victim, () -> false, HolderMain.TTL.toMillis() + random.nextInt(1500), victim::thaw);
            }
            case KILL -> victim.killAndStart();
            case CLOCK_JUMP -> victim.jumpClock(random.nextLong(-MAX_JUMP_SECONDS, MAX_JUMP_SECONDS));
            default -> {
                UnreliableLink link = Objects.requireNonNull(victim.link(), "there is no server to be cut off from");
                cut(kind, link);
                last(victim, () -> false, 300 + random.nextInt(2500), link::heal);
            }
        }
    }

    private static void cut(FaultKind kind, UnreliableLink link) {
        switch (kind) {
            case REFUSE -> link.refuse();
            case RESET -> link.reset();
            case SWALLOW_REQUESTS -> link.swallow(Set.of(UnreliableLink.Direction.TO_SERVER));
            case SWALLOW_REPLIES -> link.swallow(Set.of(UnreliableLink.Direction.TO_CLIENT));
            default -> throw new IllegalStateException(kind + " does not affect connections");
        }
    }

    /**
     * Freezes a holder that is between its read and its write, until another holder has written.
     * Returns false if there was none.
     */
    boolean makeZombie() throws IOException, InterruptedException {
        for (int looks = 0; looks < 300; looks++) {
            for (Host host : hosts) {
                long token = host.tokenBetweenReadAndWrite();
                if (token > 0 && isFree(host)) {
                    host.freeze();
                    long bound = 4 * HolderMain.TTL.toMillis();
                    last(host, () -> reports.highest(Kind.WROTE) > token, bound, host::thaw);
                    return true;
                }
            }
            pass(POLL_MILLIS);
        }
        return false;
    }

    private void last(Host host, BooleanSupplier reached, long millis, Step heal) {
        active.add(new Active(host, reached, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), heal));
    }

    /** Lets time pass and ends faults that have lasted long enough. */
    void pass(long millis) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        do {
            Thread.sleep(Math.min(millis, POLL_MILLIS));
            reports.requireNoFailure();
            for (Active fault : List.copyOf(active)) {
                if (fault.isOver()) {
                    active.remove(fault);
                    fault.heal.run();
                }
            }
        } while (System.nanoTime() - end < 0);
    }

    /** Draws every kind once, in random order, before any kind again. */
    private FaultKind draw() {
        if (bag.isEmpty()) {
            List<FaultKind> kinds = new ArrayList<>(kinds(site));
            Collections.shuffle(kinds, random);
            bag.addAll(kinds);
        }
        return bag.remove();
    }

    static List<FaultKind> kinds(Site site) {
        List<FaultKind> kinds = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            if (site.port().isPresent() || !kind.needsServer()) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    private Host randomFreeHost() {
        List<Host> free = hosts.stream().filter(this::isFree).toList();
        return free.get(random.nextInt(free.size()));
    }

    private boolean isFree(Host host) {
        return active.stream().noneMatch(fault -> fault.host == host);
    }
}
