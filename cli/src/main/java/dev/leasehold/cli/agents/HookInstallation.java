package dev.leasehold.cli.agents;

import dev.leasehold.agents.AgentDialect;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.fence.TargetUnavailableException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The hook in the settings of one agent. What else is in the settings is kept. */
abstract class HookInstallation {
    private final Invocation invocation;
    private final String agent;
    private final Path file;

    HookInstallation(Invocation invocation, String agent, Path file) {
        this.invocation = invocation;
        this.agent = agent;
        this.file = file;
    }

    static HookInstallation of(Invocation invocation, String agent) {
        return of(invocation, agent, invocation.arguments().has(AgentHookCommand.USER));
    }

    static HookInstallation of(Invocation invocation, String agent, boolean user) {
        Path base = user ? home(invocation) : Path.of("").toAbsolutePath();
        return switch (agent) {
            case "claude" ->
                new JsonHooks(invocation, agent, base.resolve(".claude").resolve("settings.json"));
            case "codex" ->
                new JsonHooks(invocation, agent, base.resolve(".codex").resolve("hooks.json"));
            case "gemini" ->
                new JsonHooks(invocation, agent, base.resolve(".gemini").resolve("settings.json"));
            case "copilot" -> {
                if (user) {
                    throw new UsageException(
                            "Copilot reads its hooks from the repository: install them there, with --project");
                }
                yield new JsonHooks(invocation, agent, base.resolve(".github/hooks/leasehold.json"));
            }
            default ->
                new OpencodePlugin(
                        invocation,
                        base.resolve(user ? ".config/opencode" : ".opencode").resolve("plugin/leasehold.js"));
        };
    }

    private static Path home(Invocation invocation) {
        String home = invocation.env("HOME");
        if (home == null || !home.startsWith("/")) {
            throw new UsageException("there is no home directory: HOME is not set");
        }
        return Path.of(home);
    }

    /** All that can be installed, for every agent. */
    static List<HookInstallation> all(Invocation invocation) {
        List<HookInstallation> all = new ArrayList<>();
        for (String agent : AgentDialect.NAMES.split("\\|", -1)) {
            all.add(of(invocation, agent, false));
            if (!agent.equals("copilot") && invocation.env("HOME") != null) {
                all.add(of(invocation, agent, true));
            }
        }
        return all;
    }

    /**
     * The settings with the hook.
     *
     * @param before the settings as they are; null if there are none
     * @throws IllegalArgumentException if the settings cannot be understood
     */
    abstract String with(@Nullable String before);

    /** The settings without the hook; null if nothing else is in them. */
    abstract @Nullable String without(String before);

    /** The commands that are installed. */
    abstract List<String> commands(String settings);

    /** What the user has to do besides. */
    abstract @Nullable String hint();

    String agent() {
        return agent;
    }

    Path file() {
        return file;
    }

    int install() {
        String before = read();
        String after = changed(before, true);
        return finish(before, after, "installed");
    }

    int uninstall() {
        String before = read();
        if (before == null || commands(parsed(before)).isEmpty()) {
            if (invocation.json()) {
                answer("unchanged");
            } else {
                invocation.console().tell("nothing to remove: " + file + " has no hook of Leasehold");
            }
            return ExitCode.OK;
        }
        return finish(before, changed(before, false), "removed");
    }

    private String parsed(String text) {
        try {
            commands(text);
            return text;
        } catch (IllegalArgumentException e) {
            throw notUnderstood(e);
        }
    }

    private @Nullable String changed(@Nullable String before, boolean install) {
        try {
            return install || before == null ? with(before) : without(before);
        } catch (IllegalArgumentException e) {
            if (install) {
                invocation.console().say("what would be installed in a new file:");
                with(null).lines().forEach(invocation.console()::say);
            }
            throw notUnderstood(e);
        }
    }

    private TargetUnavailableException notUnderstood(IllegalArgumentException e) {
        return new TargetUnavailableException(
                file + " cannot be changed by this command: " + e.getMessage()
                        + ". Nothing was changed. If it has comments, remove them; otherwise correct it, or change it by"
                        + " hand",
                e);
    }

    private int finish(@Nullable String before, @Nullable String after, String what) {
        boolean same = after == null ? before == null : after.equals(before);
        if (!same) {
            for (String line : TextChange.lines(before == null ? "" : before, after == null ? "" : after)) {
                invocation.console().say(line);
            }
        }
        boolean dry = invocation.arguments().has(AgentHookCommand.DRY_RUN);
        if (!same && !dry) {
            write(before, after);
        }
        String outcome = same ? "unchanged" : dry ? "would be " + what : what;
        if (invocation.json()) {
            answer(outcome);
        } else {
            invocation.console().tell("hook of " + agent + " " + outcome + " (" + file + ")");
            String hint = hint();
            if (what.equals("installed") && hint != null) {
                invocation.console().say(hint);
            }
        }
        return ExitCode.OK;
    }

    private void answer(String outcome) {
        invocation
                .console()
                .print(new Json()
                        .put("outcome", outcome)
                        .put("agent", agent)
                        .put("file", file)
                        .toString());
    }

    @Nullable
    String read() {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            String why = e instanceof CharacterCodingException ? "it is not UTF-8" : e.getMessage();
            throw new TargetUnavailableException(file + " cannot be read: " + why + ". Nothing was changed", e);
        }
    }

    /** By a rename, so that the agent never reads half of it. */
    private void write(@Nullable String before, @Nullable String text) {
        if (!Objects.equals(before, read())) {
            throw new TargetUnavailableException(file
                    + " was changed by another program at this moment. Nothing was changed; run the command again");
        }
        try {
            if (text == null) {
                Files.deleteIfExists(file);
                return;
            }
            Path real = Files.exists(file) ? file.toRealPath() : file;
            Path parent = real.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Path scratch = real.resolveSibling(
                    real.getFileName() + ".leasehold-" + ProcessHandle.current().pid());
            try {
                Files.writeString(scratch, text);
                if (Files.exists(real)) {
                    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(real);
                    Files.setPosixFilePermissions(scratch, permissions);
                }
                Files.move(scratch, real, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(scratch);
            }
        } catch (IOException | UnsupportedOperationException e) {
            throw new TargetUnavailableException(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** The program with its arguments, for a shell. */
    final String command(String event) {
        StringBuilder command = new StringBuilder(SafeText.shellWord(program()));
        command.append(" agent-hook ").append(agent);
        if (!event.isEmpty()) {
            command.append(" --event ").append(event);
        }
        String store = invocation.arguments().text(CommonOptions.STORE);
        if (store != null) {
            requireNoPassword(store);
            command.append(" --store ").append(SafeText.shellWord(StoreUrl.absolute(StoreUrl.typed(store))));
        }
        if (invocation.arguments().has(AgentHookCommand.ADVISE)) {
            command.append(" --advise");
        }
        if (invocation.arguments().has(AgentHookCommand.TTL)) {
            command.append(" --ttl ")
                    .append(AgentHookCommand.ttl(invocation.arguments()).toSeconds())
                    .append('s');
        }
        String scope = invocation.arguments().text(AgentHookCommand.SCOPE);
        if (scope != null) {
            command.append(" --scope ").append(scope);
        }
        String state = invocation.arguments().text(AgentHookCommand.STATE);
        if (state != null) {
            command.append(" --state ")
                    .append(SafeText.shellWord(AgentState.directory(invocation).toString()));
        }
        return command.toString();
    }

    private static void requireNoPassword(String url) {
        int at = url.indexOf('@');
        int scheme = url.indexOf("://");
        if (scheme > 0 && at > scheme && url.indexOf(':', scheme + 3) > 0 && url.indexOf(':', scheme + 3) < at) {
            throw new UsageException("the store's URL has a password, which would be readable in the settings of the"
                    + " agent: set " + StoreUrl.VARIABLE + " in the environment of the agent instead of --store");
        }
    }

    /** The launcher if it is known, so that the agent need not have it on its PATH. */
    private static String program() {
        String home = System.getProperty("leasehold.home");
        return home == null || home.isEmpty() ? "leasehold" : home + "/leasehold";
    }
}
