package dev.leasehold.fence;

import dev.leasehold.fuzz.FuzzTarget;
import java.nio.file.Path;
import java.util.List;

/** Fences on a disk. */
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
            placed=42 10 1700000000000000000 - 1 1700000000000000
            """;

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
                        text -> requireInside(DiskTarget.staged(Path.of("/home/user"), text, DiskTarget.STAGED)),
                        ".page.leasehold-staged-abc"));
    }

    /** A fence is the same after it is written and read again. */
    private static void fence(String text) {
        DiskState state = DiskState.parse(text);
        FuzzTarget.requireSame(state, DiskState.parse(state.format()));
    }

    private static void logTail(String text) {
        LogTail tail = LogTail.parse(text);
        FuzzTarget.requireBelow(tail.format().length(), 2L * text.length() + 20);
    }

    private static void requireInside(Path path) {
        FuzzTarget.requireSame(Path.of("/home/user"), path.normalize().getParent());
    }
}
