package dev.leasehold.cli;

import dev.leasehold.cli.agents.AgentHookCommand;
import dev.leasehold.cli.agents.McpCommand;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.demo.DemoCommand;
import dev.leasehold.cli.jobs.DueCommand;
import dev.leasehold.cli.jobs.PauseCommand;
import dev.leasehold.cli.jobs.ResumeCommand;
import dev.leasehold.cli.jobs.StartCommand;
import dev.leasehold.cli.jobs.UpCommand;
import dev.leasehold.cli.operate.AdviseCommand;
import dev.leasehold.cli.operate.CancelCommand;
import dev.leasehold.cli.operate.ExplainCommand;
import dev.leasehold.cli.operate.ForgetCommand;
import dev.leasehold.cli.operate.HistoryCommand;
import dev.leasehold.cli.operate.RepairCommand;
import dev.leasehold.cli.operate.StatusCommand;
import dev.leasehold.cli.operate.TakeoverCommand;
import dev.leasehold.cli.run.AcquireCommand;
import dev.leasehold.cli.run.CheckCommand;
import dev.leasehold.cli.run.ProgressCommand;
import dev.leasehold.cli.run.ReleaseCommand;
import dev.leasehold.cli.run.RenewCommand;
import dev.leasehold.cli.run.RunCommand;
import dev.leasehold.cli.serve.KeysCommand;
import dev.leasehold.cli.serve.ServeCommand;
import dev.leasehold.cli.serve.UiCommand;
import dev.leasehold.cli.store.DoctorCommand;
import dev.leasehold.cli.store.SimulateCommand;
import dev.leasehold.cli.store.SoakCommand;
import dev.leasehold.cli.store.StoreCommand;
import dev.leasehold.cli.targets.AppendCommand;
import dev.leasehold.cli.targets.ExecFencedCommand;
import dev.leasehold.cli.targets.FenceCommand;
import dev.leasehold.cli.targets.GitHookCommand;
import dev.leasehold.cli.targets.PublishCommand;
import dev.leasehold.cli.targets.PushCommand;
import dev.leasehold.cli.targets.RaiseCommand;
import dev.leasehold.cli.targets.WriteCommand;
import dev.leasehold.cli.watch.HealthCommand;
import dev.leasehold.cli.watch.WatchCommand;
import dev.leasehold.cli.work.DeliverCommand;
import dev.leasehold.cli.work.DoneCommand;
import dev.leasehold.cli.work.OnceCommand;
import dev.leasehold.cli.work.SettleCommand;
import dev.leasehold.cli.work.WorkCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The commands, in the groups and the order of the overview. {@link #named} loads only the class of
 * the command that it returns: loading them all would noticeably slow the start of {@code run}.
 */
public final class Commands {
    /** Commands that belong to one activity, which is also their package. */
    record Group(String title, List<String> names) {}

    private Commands() {}

    static List<Group> groups() {
        return List.of(
                new Group(
                        "Run a command under a lease",
                        List.of("run", "acquire", "renew", "release", "check", "progress")),
                new Group("Run commands on a schedule", List.of("up", "due", "start", "pause", "resume")),
                new Group(
                        "Write targets that refuse a stale token",
                        List.of("write", "publish", "append", "exec-fenced", "push", "raise", "fence", "git-hook")),
                new Group("Do each piece of work once", List.of("done", "deliver", "work", "once", "settle")),
                new Group(
                        "Watch leases and intervene",
                        List.of("status", "history", "explain", "takeover", "cancel", "repair", "forget", "advise")),
                new Group("Keep agents apart", List.of("agent-hook")),
                new Group("Be told when something is wrong", List.of("health", "watch")),
                new Group("Create and test a store", List.of("store", "doctor", "simulate", "soak")),
                new Group("Offer a store over HTTP", List.of("serve", "ui", "keys")),
                new Group("Work with coding agents", List.of("mcp")),
                new Group("Learn more", List.of("demo", "completion", "help", "version", "install")));
    }

    static @Nullable Command named(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "acquire" -> new AcquireCommand();
            case "renew" -> new RenewCommand();
            case "release" -> new ReleaseCommand();
            case "check" -> new CheckCommand();
            case "progress" -> new ProgressCommand();
            case "up" -> new UpCommand();
            case "due" -> new DueCommand();
            case "start" -> new StartCommand();
            case "pause" -> new PauseCommand();
            case "resume" -> new ResumeCommand();
            case "write" -> new WriteCommand();
            case "publish" -> new PublishCommand();
            case "append" -> new AppendCommand();
            case "exec-fenced" -> new ExecFencedCommand();
            case "push" -> new PushCommand();
            case "raise" -> new RaiseCommand();
            case "fence" -> new FenceCommand();
            case "git-hook" -> new GitHookCommand();
            case "done" -> new DoneCommand();
            case "deliver" -> new DeliverCommand();
            case "work" -> new WorkCommand();
            case "once" -> new OnceCommand();
            case "settle" -> new SettleCommand();
            case "agent-hook" -> new AgentHookCommand();
            default -> namedForOperators(name);
        };
    }

    private static @Nullable Command namedForOperators(String name) {
        return switch (name) {
            case "status" -> new StatusCommand();
            case "history" -> new HistoryCommand();
            case "explain" -> new ExplainCommand();
            case "takeover" -> new TakeoverCommand();
            case "cancel" -> new CancelCommand();
            case "repair" -> new RepairCommand();
            case "forget" -> new ForgetCommand();
            case "advise" -> new AdviseCommand();
            case "health" -> new HealthCommand();
            case "watch" -> new WatchCommand();
            case "store" -> new StoreCommand();
            case "doctor" -> new DoctorCommand();
            case "ui" -> new UiCommand();
            case "serve" -> new ServeCommand();
            case "keys" -> new KeysCommand();
            case "mcp" -> new McpCommand();
            case "simulate" -> new SimulateCommand();
            case "soak" -> new SoakCommand();
            case "demo" -> new DemoCommand();
            case "completion" -> new CompletionCommand();
            case KnownNamesCommand.NAME -> new KnownNamesCommand(); // not in the overview: only scripts call it
            case "help" -> new HelpCommand();
            case "version" -> new VersionCommand();
            case "install" -> new InstallCommand();
            default -> null;
        };
    }

    /** The names of all commands, in the order of the overview. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Group group : groups()) {
            names.addAll(group.names());
        }
        return names;
    }

    /** The specifications of all commands, in the order of the overview. */
    public static List<CommandSpec> specs() {
        return specs(names());
    }

    static List<CommandSpec> specs(List<String> names) {
        List<CommandSpec> specs = new ArrayList<>();
        for (String name : names) {
            specs.add(Objects.requireNonNull(named(name), name).spec());
        }
        return specs;
    }
}
