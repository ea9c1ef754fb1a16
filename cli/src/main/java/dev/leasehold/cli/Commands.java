package dev.leasehold.cli;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.demo.DemoCommand;
import dev.leasehold.cli.jobs.DueCommand;
import dev.leasehold.cli.jobs.PauseCommand;
import dev.leasehold.cli.jobs.ResumeCommand;
import dev.leasehold.cli.jobs.UpCommand;
import dev.leasehold.cli.operate.AdviseCommand;
import dev.leasehold.cli.operate.CancelCommand;
import dev.leasehold.cli.operate.ExplainCommand;
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
import dev.leasehold.cli.store.DoctorCommand;
import dev.leasehold.cli.store.SimulateCommand;
import dev.leasehold.cli.store.SoakCommand;
import dev.leasehold.cli.targets.AppendCommand;
import dev.leasehold.cli.targets.ExecFencedCommand;
import dev.leasehold.cli.targets.GitHookCommand;
import dev.leasehold.cli.targets.PublishCommand;
import dev.leasehold.cli.targets.PushCommand;
import dev.leasehold.cli.targets.RaiseCommand;
import dev.leasehold.cli.targets.WriteCommand;
import dev.leasehold.cli.work.DeliverCommand;
import dev.leasehold.cli.work.DoneCommand;
import dev.leasehold.cli.work.WorkCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which commands there are. Only the one that is asked for is loaded: a table of all would cost each run its start-up. */
public final class Commands {
    private Commands() {}

    static @Nullable Command named(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "acquire" -> new AcquireCommand();
            case "renew" -> new RenewCommand();
            case "release" -> new ReleaseCommand();
            case "check" -> new CheckCommand();
            case "progress" -> new ProgressCommand();
            case "write" -> new WriteCommand();
            case "publish" -> new PublishCommand();
            case "append" -> new AppendCommand();
            case "exec-fenced" -> new ExecFencedCommand();
            case "push" -> new PushCommand();
            case "raise" -> new RaiseCommand();
            case "status" -> new StatusCommand();
            case "history" -> new HistoryCommand();
            case "explain" -> new ExplainCommand();
            case "takeover" -> new TakeoverCommand();
            case "cancel" -> new CancelCommand();
            case "repair" -> new RepairCommand();
            case "done" -> new DoneCommand();
            case "deliver" -> new DeliverCommand();
            case "work" -> new WorkCommand();
            case "advise" -> new AdviseCommand();
            case "up" -> new UpCommand();
            case "due" -> new DueCommand();
            case "pause" -> new PauseCommand();
            case "resume" -> new ResumeCommand();
            case "git-hook" -> new GitHookCommand();
            case "doctor" -> new DoctorCommand();
            case "simulate" -> new SimulateCommand();
            case "soak" -> new SoakCommand();
            case "demo" -> new DemoCommand();
            case "completion" -> new CompletionCommand();
            case "help" -> new HelpCommand();
            default -> null;
        };
    }

    /** In the order of the overview. */
    public static List<String> names() {
        return List.of(
                "run",
                "acquire",
                "renew",
                "release",
                "check",
                "progress",
                "write",
                "publish",
                "append",
                "exec-fenced",
                "push",
                "raise",
                "status",
                "history",
                "explain",
                "takeover",
                "cancel",
                "repair",
                "done",
                "deliver",
                "work",
                "advise",
                "up",
                "due",
                "pause",
                "resume",
                "git-hook",
                "doctor",
                "simulate",
                "soak",
                "demo",
                "completion",
                "help");
    }

    public static List<CommandSpec> specs() {
        List<CommandSpec> specs = new ArrayList<>();
        for (String name : names()) {
            Command command = named(name);
            if (command != null) {
                specs.add(command.spec());
            }
        }
        return specs;
    }
}
