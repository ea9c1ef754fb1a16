package dev.leasehold.agents;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** A real directory, a store in memory and a clock that the test moves. */
final class HookWorld {
    final Path root;
    final Path state;
    final MemoryLeaseStore store;
    Instant now = Instant.parse("2026-11-01T09:00:00Z");
    Supplier<LeaseStore> opener;
    Grant task;
    String agentName = "claude";
    boolean acrossWorktrees;
    private int calls;

    HookWorld(Path directory) {
        try {
            root = Files.createDirectories(directory.resolve("repo")).toRealPath();
            Files.createDirectories(root.resolve(".git"));
            state = directory.resolve("state");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        store = new MemoryLeaseStore(StoreId.of("hook-world"), () -> now);
        opener = () -> store;
    }

    AgentHook hook() {
        HookSettings settings = new HookSettings(
                agentName,
                "host",
                HookSettings.DEFAULT_TTL,
                acrossWorktrees,
                task,
                HookSettings.PushRule.none(),
                new SystemIds(),
                () -> now);
        return new AgentHook(() -> opener.get(), new DiskWorkspace(state), new DiskSessions(state), settings);
    }

    Path write(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HookVerdict tell(HookEvent.Kind kind, String session, String agent, HookEvent.ToolUse tool) {
        String call = kind == HookEvent.Kind.BEFORE ? "call" + ++calls : "call" + calls;
        return hook().handle(new HookEvent(kind, kind.name(), session, agent, root.toString(), call, tool));
    }

    /** Reads a file as an agent does. */
    void read(String session, String agent, String path) {
        HookEvent.Read read = new HookEvent.Read(List.of(path));
        tell(HookEvent.Kind.BEFORE, session, agent, read);
        tell(HookEvent.Kind.AFTER, session, agent, read);
    }

    void read(String session, String path) {
        read(session, "", path);
    }

    HookVerdict before(String session, String... paths) {
        return tell(HookEvent.Kind.BEFORE, session, "", edit(paths));
    }

    HookVerdict after(String session, String... paths) {
        return tell(HookEvent.Kind.AFTER, session, "", edit(paths));
    }

    static HookEvent.Edit edit(String... paths) {
        return new HookEvent.Edit(List.of(paths).stream()
                .map(path -> new HookEvent.FileEdit(path, List.of(), null))
                .toList());
    }

    HookVerdict shell(HookEvent.Kind kind, String session, String command) {
        return tell(kind, session, "", new HookEvent.Shell(command, false));
    }

    HookVerdict stop(String session) {
        return tell(HookEvent.Kind.STOP, session, "", null);
    }

    LeaseName name(String path) {
        return FilePlace.of(root.toString(), path).name();
    }

    void takeOver(LeaseName name, String reason) {
        store.intervene(Intervention.takeover(
                name,
                AttemptId.of(new SystemIds().unique()),
                Holder.of("supervisor"),
                Duration.ofMinutes(1),
                Note.of(reason)));
    }

    static String reason(HookVerdict verdict) {
        if (verdict instanceof HookVerdict.Deny deny) {
            return deny.reason();
        }
        throw new AssertionError("not denied: " + verdict);
    }

    static String problem(HookVerdict verdict) {
        if (verdict instanceof HookVerdict.Report report) {
            return report.problem();
        }
        throw new AssertionError("not reported: " + verdict);
    }
}
