package dev.leasehold.cli.agents;

import dev.leasehold.agents.AgentDialect;
import dev.leasehold.agents.AgentHook;
import dev.leasehold.agents.AgentHousekeeping;
import dev.leasehold.agents.DiskSessions;
import dev.leasehold.agents.DiskWorkspace;
import dev.leasehold.agents.HookEvent;
import dev.leasehold.agents.HookSettings;
import dev.leasehold.agents.HookVerdict;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.internal.HostName;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of the hook by an agent. Whatever goes wrong blocks the tool call, unless only advice is wanted. */
final class HookCall {
    /** The exit code with which every agent blocks the tool call. */
    private static final int BLOCK = 2;

    private static final int MAX_INPUT = 32 * 1024 * 1024;

    private final Invocation invocation;
    private final AgentDialect dialect;
    private final boolean advise;
    private @Nullable LeaseStore store;

    HookCall(Invocation invocation, AgentDialect dialect) {
        this.invocation = invocation;
        this.dialect = dialect;
        this.advise = invocation.arguments().has(AgentHookCommand.ADVISE);
    }

    @SuppressWarnings("CatchingUnchecked")
    int run() {
        HookEvent event = null;
        try (HookDeadline deadline = HookDeadline.start(invocation.console().err(), advise)) {
            String name = invocation.arguments().text(AgentHookCommand.EVENT);
            event = dialect.parse(input(), name == null ? "" : name);
            HookVerdict verdict = advised(hook().handle(event));
            if (event.kind() == HookEvent.Kind.SESSION_START) {
                tidy(event);
            }
            String answer = dialect.answer(event, verdict);
            if (!answer.isEmpty()) {
                invocation.console().print(answer);
            }
            return ExitCode.OK;
        } catch (Exception | LinkageError | VirtualMachineError | AssertionError e) {
            return failed(event, e);
        } finally {
            close();
        }
    }

    private AgentHook hook() {
        Path state = AgentState.directory(invocation);
        HookSettings settings = new HookSettings(
                dialect.name(),
                HostName.get(),
                AgentHookCommand.ttl(invocation.arguments()),
                "repository".equals(invocation.arguments().text(AgentHookCommand.SCOPE)),
                task(),
                new FencedPushes(this::store),
                new SystemIds(),
                Instant::now);
        return new AgentHook(this::store, new DiskWorkspace(state), new DiskSessions(state), settings);
    }

    /** The lease under which 'leasehold run' started the agent. */
    private @Nullable Grant task() {
        String grant = invocation.env(ShownGrant.GRANT_VARIABLE);
        return grant == null ? null : Grant.decode(grant);
    }

    /** Opened when it is needed: reading a file needs no store. */
    private LeaseStore store() {
        LeaseStore opened = store;
        if (opened == null) {
            opened = invocation.openStoreQuietly();
            store = opened;
        }
        return opened;
    }

    private HookVerdict advised(HookVerdict verdict) {
        if (!advise) {
            return verdict;
        }
        if (verdict instanceof HookVerdict.Deny deny) {
            return new HookVerdict.Allow(List.of("advice, not enforced: " + deny.reason()));
        }
        return verdict instanceof HookVerdict.Report report
                ? new HookVerdict.Allow(List.of("advice, not enforced: " + report.problem()))
                : verdict;
    }

    private String input() throws IOException {
        byte[] bytes = invocation.console().in().readNBytes(MAX_INPUT + 1);
        if (bytes.length > MAX_INPUT) {
            throw new IllegalArgumentException("the event is larger than " + MAX_INPUT / 1024 / 1024 + " MB");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the event is not valid UTF-8", e);
        }
    }

    private void tidy(HookEvent event) {
        try {
            Path state = AgentState.directory(invocation);
            AgentHousekeeping.removeOldRecords(state, Instant.now());
            AgentHousekeeping.forgetGoneFiles(
                    store(), new DiskWorkspace(state), Path.of(event.cwd()).toRealPath());
        } catch (RuntimeException | IOException e) {
            invocation.console().say("names of files that are gone were not forgotten: " + e.getMessage());
        }
    }

    private int failed(@Nullable HookEvent event, Throwable e) {
        String why = e instanceof InvalidPathException path ? path.getReason() : String.valueOf(e.getMessage());
        boolean known = ExitCode.of(e) != ExitCode.INTERNAL;
        invocation
                .console()
                .error("agent-hook failed" + (advise ? "" : ", so the tool call is blocked") + ": "
                        + (known ? why : e.getClass().getSimpleName() + ": " + why)
                        + ". Nothing was permitted. Do not go round it with shell commands; ask the user.");
        if (advise) {
            return ExitCode.OK;
        }
        boolean stops = event != null
                && switch (event.kind()) {
                    case AGENT_STOP, STOP, SESSION_END, SESSION_START -> true;
                    default -> false;
                };
        // An agent that may not stop would go on for ever.
        return stops ? ExitCode.FAILED : BLOCK;
    }

    private void close() {
        LeaseStore opened = store;
        if (opened != null) {
            try {
                opened.close();
            } catch (RuntimeException e) {
                // The decision was made before.
            }
        }
    }
}
