package dev.leasehold.fence;

import dev.leasehold.fuzz.FuzzTarget;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.OperationId;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.work.EffectSteps;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/** Fences on a disk, and records of side effects. */
public final class FenceFuzzTargets {
    private static final String FENCE =
            """
            leasehold fence 1
            name=nightly
            store=store-0001
            raised=42
            attempt=attempt-0001
            once=41
            digest=0123456789abcdef
            pending=.page.leasehold-staged-abc
            kind=file
            unfinished=41 4711 1700000000000 host
            """;

    private static final String EFFECTS =
            """
            leasehold effects 1
            name=nightly
            store=store-0001
            raised=42
            attempt=attempt-0001
            begun=41 1700000000000000 order-4711
            """;

    private static final Grant GRANT = new Grant(
            LeaseName.of("nightly"), FencingToken.of(42), AttemptId.of("attempt-0001"), StoreId.of("store-0001"));

    private FenceFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of("fence", IllegalArgumentException.class, FenceFuzzTargets::fence, FENCE),
                FuzzTarget.of(
                        "log end",
                        TargetUnavailableException.class,
                        FenceFuzzTargets::logTail,
                        "4711 10 text YWJj",
                        "4711 10 file .log.leasehold-staged-x"),
                FuzzTarget.of(
                        "staged name",
                        TargetUnavailableException.class,
                        text -> requireInside(DiskTarget.staged(Path.of("/home/somebody"), text, DiskTarget.STAGED)),
                        ".page.leasehold-staged-abc"),
                FuzzTarget.of("side effects", StoreCorruptException.class, FenceFuzzTargets::effects, EFFECTS),
                FuzzTarget.of(
                        "side effect outcome", StoreCorruptException.class, FenceFuzzTargets::outcome, "41 sent"));
    }

    /**
     * A damaged fence refuses lower tokens than the one it names, and is the same after it is
     * written and read again.
     */
    private static void fence(String text) {
        DiskState state = DiskState.parse(text);
        FuzzTarget.requireSame(state, DiskState.parse(state.format()));
    }

    private static void logTail(String text) {
        LogTail tail = LogTail.parse(text);
        FuzzTarget.requireBelow(tail.format().length(), 2L * text.length() + 20);
    }

    private static void requireInside(Path path) {
        FuzzTarget.requireSame(Path.of("/home/somebody"), path.normalize().getParent());
    }

    private static void effects(String text) {
        CasRegister register = new MemoryRegister(Clock.systemUTC());
        if (text.length() < CasRegister.MAX_VALUE_BYTES / 3
                && register.compareAndSet("effects/nightly", CasRegister.ABSENT, text)) {
            FuzzTarget.requireBelow(
                    new EffectSteps(register).unsettled(GRANT.name()).size(), text.length());
        }
    }

    private static void outcome(String text) {
        CasRegister register = new MemoryRegister(Clock.systemUTC());
        if (text.length() < CasRegister.MAX_VALUE_BYTES / 3
                && register.compareAndSet("effect/order-4711/nightly", CasRegister.ABSENT, text)) {
            new EffectSteps(register).begin(GRANT, OperationId.of("order-4711"));
        }
    }
}
