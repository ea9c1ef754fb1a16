package dev.leasehold.testkit.nemesis;

import dev.leasehold.testkit.UnreliableLink;
import dev.leasehold.testkit.nemesis.Said.Word;
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
 * Does harm, as a seed decides: which, to whom, in which order, for how long. Faults of different hosts overlap; one host has
 * one at a time, and one host at least is left in peace, so that there is always somebody to take over.
 */
final class Nemesis {
    private static final long LOOK_MILLIS = 10;
    private static final long MAX_JUMP_SECONDS = TimeUnit.DAYS.toSeconds(1);

    private final Random random;
    private final List<Host> hosts;
    private final Site site;
    private final Testimony testimony;
    private final List<Active> active = new ArrayList<>();
    private final Deque<FaultKind> bag = new ArrayDeque<>();
    private final Map<FaultKind, Integer> done = new EnumMap<>(FaultKind.class);

    Nemesis(long seed, List<Host> hosts, Site site, Testimony testimony) {
        this.random = new Random(seed);
        this.hosts = hosts;
        this.site = site;
        this.testimony = testimony;
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** A fault that lasts: until its purpose is reached, but not longer than its time. */
    private record Active(Host host, BooleanSupplier reached, long until, Step heal) {
        boolean isOver() {
            return System.nanoTime() - until >= 0 || reached.getAsBoolean();
        }
    }

    /** Rages for so long, and returns when everything is healed. */
    void rage(Duration length) throws Exception {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - end < 0) {
            strike();
            pass(200 + random.nextInt(800));
        }
        passUntilHealed();
    }

    void passUntilHealed() throws IOException, InterruptedException {
        while (!active.isEmpty()) {
            pass(LOOK_MILLIS);
        }
    }

    /** How often each kind was done. */
    Map<FaultKind, Integer> done() {
        return done;
    }

    private void strike() throws Exception {
        if (active.size() >= hosts.size() - 1) {
            return;
        }
        FaultKind kind = draw();
        boolean struck = true;
        if (kind == FaultKind.SERVER_RESTART) {
            site.restart();
        } else if (kind == FaultKind.FREEZE) {
            struck = makeZombie();
        } else {
            strike(kind, anybody());
        }
        done.merge(kind, struck ? 1 : 0, Integer::sum);
    }

    private void strike(FaultKind kind, Host victim) throws IOException, InterruptedException {
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
            default -> throw new IllegalStateException(kind + " is not a cut");
        }
    }

    /** Freezes whoever is between its read and its write, until somebody else has written. False if nobody was. */
    boolean makeZombie() throws IOException, InterruptedException {
        for (int looks = 0; looks < 300; looks++) {
            for (Host host : hosts) {
                long token = host.thinkingUnder();
                if (token > 0 && isFree(host)) {
                    host.freeze();
                    long bound = 4 * HolderMain.TTL.toMillis();
                    last(host, () -> testimony.highest(Word.WROTE) > token, bound, host::thaw);
                    return true;
                }
            }
            pass(LOOK_MILLIS);
        }
        return false;
    }

    private void last(Host host, BooleanSupplier reached, long millis, Step heal) {
        active.add(new Active(host, reached, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), heal));
    }

    /** Lets time pass, and heals what has lasted long enough. */
    void pass(long millis) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        do {
            Thread.sleep(Math.min(millis, LOOK_MILLIS));
            testimony.requireNoFailure();
            for (Active fault : List.copyOf(active)) {
                if (fault.isOver()) {
                    active.remove(fault);
                    fault.heal.run();
                }
            }
        } while (System.nanoTime() - end < 0);
    }

    /** Every kind once, in an order of chance, before any comes again. */
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

    private Host anybody() {
        List<Host> free = hosts.stream().filter(this::isFree).toList();
        return free.get(random.nextInt(free.size()));
    }

    private boolean isFree(Host host) {
        return active.stream().noneMatch(fault -> fault.host == host);
    }
}
