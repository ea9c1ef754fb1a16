package dev.leasehold.cli.agents;

import dev.leasehold.agents.FilePlace;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code leasehold agent-hook status}: where the hook is installed, and which files are being edited. */
final class HookStatus {
    private static final int PAGE = 500;

    private final Invocation invocation;
    private final Console console;

    HookStatus(Invocation invocation) {
        this.invocation = invocation;
        this.console = invocation.console();
    }

    int run(@Nullable String agent) {
        if (agent != null) {
            AgentHookCommand.requireDialect(agent);
        }
        boolean any = false;
        for (HookInstallation installation : HookInstallation.all(invocation)) {
            if (agent == null || installation.agent().equals(agent)) {
                any |= report(installation);
            }
        }
        if (!any && !invocation.json()) {
            console.print("no agent is guarded here: run 'leasehold agent-hook install AGENT'");
        }
        files();
        return ExitCode.OK;
    }

    private boolean report(HookInstallation installation) {
        List<String> commands;
        try {
            String settings = installation.read();
            commands = settings == null ? List.of() : installation.commands(settings);
        } catch (IllegalArgumentException e) {
            console.error(installation.file() + " cannot be understood: " + e.getMessage());
            return false;
        } catch (TargetUnavailableException e) {
            console.error(String.valueOf(e.getMessage()));
            return false;
        }
        if (commands.isEmpty()) {
            return false;
        }
        boolean advises = commands.get(0).contains(" --advise");
        if (invocation.json()) {
            console.print(new Json()
                    .put("agent", installation.agent())
                    .put("file", installation.file())
                    .put("mode", advises ? "advise" : "deny")
                    .put("events", commands.size())
                    .toString());
        } else {
            console.print(console.safe(installation.agent() + ": " + (advises ? "warned only" : "guarded") + " ("
                    + installation.file() + ")"));
        }
        return true;
    }

    private void files() {
        try (LeaseStore store = invocation.openStoreToRead()) {
            String after = "";
            List<LeaseSnapshot> page;
            do {
                page = store.list(FilePlace.PREFIX, after, PAGE);
                for (LeaseSnapshot lease : page) {
                    after = lease.lease().name().value();
                    if (!lease.isFree()) {
                        show(lease);
                    }
                }
            } while (page.size() == PAGE);
        }
    }

    private void show(LeaseSnapshot lease) {
        LeaseRecord record = lease.lease();
        if (invocation.json()) {
            console.print(new Json()
                    .put("name", record.name())
                    .put("holder", record.owner().holder())
                    .put("acquiredAt", record.owner().at())
                    .put("expiresInMs", lease.remaining())
                    .toString());
            return;
        }
        console.print(console.safe(words(lease)));
    }

    static String words(LeaseSnapshot lease) {
        LeaseRecord record = lease.lease();
        Duration since = Duration.between(record.owner().at(), lease.readAt());
        return record.name() + ": edited by " + record.owner().holder() + " since "
                + DurationText.show(since.isNegative() ? Duration.ZERO : since) + ", "
                + DurationText.show(lease.remaining()) + " left unless renewed"
                + (lease.isSilent() ? "; probably gone: by the clock of this host, the deadline has passed" : "");
    }
}
