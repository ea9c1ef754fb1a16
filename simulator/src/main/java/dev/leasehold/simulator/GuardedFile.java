package dev.leasehold.simulator;

import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.simulator.disk.SimulatedDisk;
import dev.leasehold.simulator.disk.SystemCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A fenced file on the disk of the machine that all workers share. Checks the disk after every
 * change: the file is complete, old or new, and its fence is never behind it.
 */
final class GuardedFile implements TargetState {
    static final String NAME = "report";
    private static final String FENCE = ".report.leasehold-fence";
    private static final String FENCE_HEADER = "leasehold fence 1";
    private static final String END = "end\n";
    private static final long LONGEST_SYNC = 3_000_000;

    private final SimulatedWorld world;
    private final SimulatedDisk disk = new SimulatedDisk(this::changed);
    private final Path observed = disk.seenBy(new Observer());
    private final Map<String, Grant> contentFor = new HashMap<>();
    private final Map<SimulatedProcess, SimulatedTarget> seen = new LinkedHashMap<>();
    private String text = "";

    /** The content that the last power cut undid. The fence may still have it and restore it. */
    private String undone = "";

    GuardedFile(SimulatedWorld world) {
        this.world = world;
    }

    @Override
    public SimulatedTarget seenBy(SimulatedProcess process) {
        return seen.computeIfAbsent(process, each -> new FileTarget(world, each, this, disk.seenBy(new Calls(each))));
    }

    @Override
    public List<String> document() {
        return parse(text);
    }

    static List<String> parse(String text) {
        if (!text.endsWith(END)) {
            return List.of();
        }
        return text.substring(0, text.length() - END.length()).lines().toList();
    }

    /** The content of the next write, unique to it. */
    String contentFor(Grant grant, List<String> content) {
        String lines = String.join("\n", content) + "\n" + END;
        contentFor.put(lines, grant);
        return lines;
    }

    private void changed(String name) {
        if (!name.equals(NAME)) {
            return;
        }
        String now = content();
        Grant writer = writerOf(now);
        if (writer != null && !now.equals(text)) {
            if (now.equals(undone)) {
                world.invariants().restoredTo(writer);
            } else {
                world.invariants().written(writer, parse(text), parse(now));
            }
            undone = "";
            text = now;
        }
        if (now.isEmpty()) {
            violated("the file has disappeared");
        }
        checkFence(writer);
    }

    private String content() {
        return disk.content(NAME)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("");
    }

    private @Nullable Grant writerOf(String content) {
        Grant writer = contentFor.get(content);
        if (writer == null && !content.isEmpty()) {
            violated("the file has content that no process wrote: '" + content + "'");
        }
        return writer;
    }

    private void checkFence(@Nullable Grant writer) {
        long raised = readFence();
        if (writer != null && raised < writer.token().value()) {
            violated("the file was written by token " + writer.token() + ", but its fence is at " + raised);
        }
        if (raised < world.invariants().highestAccepted()) {
            violated("token " + world.invariants().highestAccepted() + " was accepted, but the fence is at " + raised);
        }
    }

    private long readFence() {
        try {
            String fence = TwoCopyFile.peek(observed.resolve(FENCE), TwoCopyFile.Size.SMALL, Duration.ZERO);
            return FenceText.read(Fields.parse(FENCE_HEADER, fence)).raised().value();
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            violated("the fence cannot be read: " + e.getMessage());
            return 0;
        }
    }

    @Override
    public FencingToken raised() {
        return new FencingToken(readFence());
    }

    /** Kills every process of the machine. Data that was not synced is lost or torn. */
    void losePower() {
        world.log().note("machine", "loses power");
        seen.keySet().forEach(SimulatedProcess::kill);
        seen.clear();
        disk.cutPower(bound -> (int) world.random().between(0, bound - 1));
        String before = text;
        text = content();
        undone = before.equals(text) ? undone : before;
        Grant survivor = writerOf(text);
        world.invariants().restoredTo(survivor);
        checkFence(survivor);
        world.invariants().checkAcknowledged(parse(text));
    }

    private void violated(String what) {
        world.invariants().violated(Invariant.ONE_STEP, what);
    }

    /** A process that may pause or die at each system call. */
    private final class Calls implements SystemCalls {
        private final SimulatedProcess process;

        Calls(SimulatedProcess process) {
            this.process = process;
        }

        @Override
        public void enter() {
            process.step();
        }

        @Override
        public void waitForSync() {
            process.waitFor(world.random().between(1, LONGEST_SYNC));
        }

        @Override
        public boolean isFull() {
            return world.faultInjector().happens(SimulatedFault.DISK_FULL);
        }

        @Override
        public boolean isDead() {
            return process.isDead();
        }
    }

    private static final class Observer implements SystemCalls {
        @Override
        public void enter() {}

        @Override
        public void waitForSync() {}

        @Override
        public boolean isFull() {
            return false;
        }

        @Override
        public boolean isDead() {
            return false;
        }
    }
}
