package dev.leasehold.simulator;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The fenced file as one process of its machine sees it. */
final class FileTarget implements SimulatedTarget {
    private static final int MAX_TRIES = 200;
    private static final long LONGEST_PAUSE = 10_000_000;

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final GuardedFile guarded;
    private final Path path;
    private final FencedFile file;

    FileTarget(SimulatedWorld world, SimulatedProcess process, GuardedFile guarded, Path directory) {
        this.world = world;
        this.process = process;
        this.guarded = guarded;
        this.path = directory.resolve(GuardedFile.NAME);
        // FencedFile would wait in real time, so it does not wait here, and the call is repeated in
        // virtual time.
        this.file = FencedFile.at(path, world.ids()).waitingAtMost(Duration.ZERO);
    }

    @Override
    public Admission raise(Grant grant) {
        return recorded(grant, whenUnlocked(() -> file.raise(grant)));
    }

    @Override
    public Admission admit(Grant grant, List<String> content) {
        String text = guarded.contentFor(grant, content);
        return recorded(grant, whenUnlocked(() -> file.admit(grant, Content.of(text))));
    }

    private Admission recorded(Grant grant, Admission answer) {
        if (answer instanceof Admission.Admitted) {
            world.invariants().accepted(grant);
        }
        return answer;
    }

    @Override
    public List<String> read() {
        try {
            return GuardedFile.parse(Files.readString(path));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new TargetUnavailableException("the target cannot be read", e);
        }
    }

    private Admission whenUnlocked(Supplier<Admission> step) {
        for (int tries = 1; ; tries++) {
            try {
                return step.get();
            } catch (TargetUnavailableException e) {
                if (!(e.getCause() instanceof TwoCopyFile.LockedException) || tries == MAX_TRIES) {
                    throw e;
                }
                process.sleep(Duration.ofNanos(world.random().between(1, LONGEST_PAUSE)));
            }
        }
    }
}
