package dev.leasehold.testkit.sim;

import dev.leasehold.guard.Content;
import dev.leasehold.guard.FencedFile;
import dev.leasehold.guard.TargetUnavailableException;
import dev.leasehold.internal.disk.SlotFile;
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
final class FileTarget implements Target {
    private static final int MAX_TRIES = 200;
    private static final long LONGEST_PAUSE = 10_000_000;

    private final World world;
    private final SimulatedProcess process;
    private final GuardedFile guarded;
    private final Path path;
    private final FencedFile file;

    FileTarget(World world, SimulatedProcess process, GuardedFile guarded, Path directory) {
        this.world = world;
        this.process = process;
        this.guarded = guarded;
        this.path = directory.resolve(GuardedFile.NAME);
        // The file's own wait would be in real time, so it does not wait, and is asked again in virtual time.
        this.file = FencedFile.at(path, world.ids()).waitingAtMost(Duration.ZERO);
    }

    @Override
    public Admission raise(Grant grant) {
        return told(grant, whenUnlocked(() -> file.raise(grant)));
    }

    @Override
    public Admission admit(Grant grant, List<String> content) {
        String text = guarded.offered(grant, content);
        return told(grant, whenUnlocked(() -> file.admit(grant, Content.of(text))));
    }

    private Admission told(Grant grant, Admission answer) {
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
            throw new TargetUnavailableException("it cannot be read", e);
        }
    }

    private Admission whenUnlocked(Supplier<Admission> step) {
        for (int tries = 1; ; tries++) {
            try {
                return step.get();
            } catch (TargetUnavailableException e) {
                if (!(e.getCause() instanceof SlotFile.LockedException) || tries == MAX_TRIES) {
                    throw e;
                }
                process.sleep(Duration.ofNanos(world.chance().between(1, LONGEST_PAUSE)));
            }
        }
    }
}
