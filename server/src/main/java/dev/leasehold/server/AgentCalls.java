package dev.leasehold.server;

import dev.leasehold.agents.AgentDialect;
import dev.leasehold.agents.AgentHook;
import dev.leasehold.agents.AgentHousekeeping;
import dev.leasehold.agents.DiskSessions;
import dev.leasehold.agents.DiskWorkspace;
import dev.leasehold.agents.FilePlace;
import dev.leasehold.agents.HookEvent;
import dev.leasehold.agents.HookSettings;
import dev.leasehold.agents.ShellText;
import dev.leasehold.client.message.AgentHookCall;
import dev.leasehold.client.message.JsonMessages;
import dev.leasehold.internal.Failure;
import dev.leasehold.internal.HostName;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The hook of coding agents on this host. This server looks at the files itself and keeps what sessions
 * have seen where the program keeps it, so an agent may use both in turn.
 */
final class AgentCalls {
    /** A larger event goes to the program. */
    private static final int MAX_BODY = 512 * 1024;

    private final LeaseStore store;
    private final Path state;
    private final DiskWorkspace files;
    private final DiskSessions sessions;

    AgentCalls(LeaseStore store, Path stateDirectory) {
        this.store = store;
        this.state = stateDirectory;
        this.files = new DiskWorkspace(stateDirectory);
        this.sessions = new DiskSessions(stateDirectory);
    }

    void addTo(Routes routes) {
        routes.post("/v1/agent-hook", Role.HOLDER, MAX_BODY, Call.answering(this::hook));
    }

    private Answer hook(ApiRequest request) {
        AgentHookCall call = request.body(AgentHookCall.class);
        // The names of files are for this caller, or the call is refused.
        request.name(FilePlace.PREFIX + "-");
        AgentDialect dialect = AgentDialect.named(call.agent());
        if (dialect == null) {
            throw new BadRequestException("agent must be one of " + AgentDialect.NAMES.replace("|", ", "));
        }
        HookEvent event = event(dialect, call);
        if (event.tool() instanceof HookEvent.Shell shell && ShellText.pushes(shell.command())) {
            throw new BadRequestException("only the program decides about a push: run 'leasehold agent-hook'");
        }
        HookSettings settings = new HookSettings(
                dialect.name(),
                HostName.get(),
                HookSettings.DEFAULT_TTL,
                false,
                task(request, call),
                HookSettings.PushRule.none(),
                new SystemIds(),
                Instant::now);
        String answer = dialect.answer(event, new AgentHook(() -> store, files, sessions, settings).handle(event));
        if (event.kind() == HookEvent.Kind.SESSION_START) {
            tidy(event);
        }
        // Names the store, so that nobody takes the answer of another program at this address for ours.
        return Answer.json(
                "{\"store\":\"" + store.id().value() + "\",\"answer\":" + (answer.isEmpty() ? "{}" : answer) + "}");
    }

    private void tidy(HookEvent event) {
        try {
            AgentHousekeeping.removeOldRecords(state, Instant.now());
            AgentHousekeeping.forgetGoneFiles(store, files, Path.of(event.cwd()).toRealPath());
        } catch (RuntimeException | IOException e) {
            Failure.log("names of files that are gone were not forgotten", e);
        }
    }

    private static HookEvent event(AgentDialect dialect, AgentHookCall call) {
        String json = new String(JsonMessages.write(call.event()), StandardCharsets.UTF_8);
        String name = call.name();
        try {
            return dialect.parse(json, name == null ? "" : name);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException("the event is not one of " + dialect.name() + ": " + e.getMessage());
        }
    }

    private static @Nullable Grant task(ApiRequest request, AgentHookCall call) {
        if (call.grant() == null) {
            return null;
        }
        Grant grant = Grant.decode(call.grant());
        request.name(grant.name().value());
        return grant;
    }
}
