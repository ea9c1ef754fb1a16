package dev.leasehold.fence;

import dev.leasehold.fuzz.Surface;
import java.nio.file.Path;
import java.util.List;

/** Fences on a disk. */
public final class FenceSurfaces {
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

    private FenceSurfaces() {}

    public static List<Surface> all() {
        return List.of(
                Surface.of("fence", IllegalArgumentException.class, FenceSurfaces::fence, FENCE),
                Surface.of(
                        "end of a log",
                        TargetUnavailableException.class,
                        FenceSurfaces::logTail,
                        "4711 10 text YWJj",
                        "4711 10 file .log.leasehold-staged-x"),
                Surface.of(
                        "staged name",
                        TargetUnavailableException.class,
                        text -> requireInside(DiskTarget.staged(Path.of("/home/somebody"), text, DiskTarget.STAGED)),
                        ".page.leasehold-staged-abc"));
    }

    /** Whatever a damaged fence says: it refuses lower tokens than it names, and is the same when it is written again. */
    private static void fence(String text) {
        DiskState state = DiskState.parse(text);
        Surface.requireSame(state, DiskState.parse(state.format()));
    }

    private static void logTail(String text) {
        LogTail tail = LogTail.parse(text);
        Surface.requireBelow(tail.format().length(), 2L * text.length() + 20);
    }

    private static void requireInside(Path path) {
        Surface.requireSame(Path.of("/home/somebody"), path.normalize().getParent());
    }
}
