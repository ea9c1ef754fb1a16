package dev.leasehold.cli.store;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.child.Interruption;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Console;
import dev.leasehold.doctor.Examination;
import dev.leasehold.doctor.Grade;
import dev.leasehold.doctor.StoreDoctor;
import dev.leasehold.git.GitDoctor;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code leasehold doctor}: examines a store or a git remote as it is configured now. */
public final class DoctorCommand implements Command {
    private static final Option TTL = Option.of(
            "ttl", "D", Kind.DURATION, "the ttl that you plan to use, to judge the measured times (default: 90s)");
    private static final Option ROUNDS =
            Option.of("rounds", "N", Kind.NUMBER, "how many rounds each race has, within 10 s (default: 1000)");
    private static final int MOST_ROUNDS = 1_000_000;
    private static final Option GIT =
            Option.of("git", "REMOTE", Kind.TEXT, "examine this git remote instead of the store");

    private static final Option PEER =
            Option.flag("peer", "find out whether another host that runs this at the same time uses this store");
    private static final Option WAIT = Option.of("wait", "D", Kind.DURATION, "how long --peer waits (default 60s)");
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(60);

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("doctor", "examine a store or a git remote and grade it")
                .description(
                        """
                        Races several clients against each other under scratch names, checks that each reads what the
                        others wrote and that tokens survive releases and reconnects, reads the settings that could lose
                        them, and measures round trips and the clock. Grades the store 'atomic', 'observed' or 'unsafe - do not use', with the evidence, and
                        removes its scratch names. With --git, pushes to scratch refs of the remote and checks that a
                        push with a stale token is refused as a whole. Also reads all leases, work items, jobs and
                        logs of runs, and names those that are damaged. With --peer, run on two hosts at the same time,
                        finds out whether they see one store. Exit 69 if the grade is unsafe, a record is damaged, the
                        store cannot be reached, or no peer was found. INT or TERM ends it after the current step, with what was
                        found until then and exit 130.""")
                .option(TTL)
                .option(ROUNDS)
                .option(GIT)
                .option(PEER)
                .option(WAIT)
                .example("leasehold doctor --store file:/shared/leases --ttl 60s");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Console console = invocation.console();
        try (Interruption interruption = new Interruption(() -> console.say("ending after the current step; a second"
                + " signal ends it at once and leaves scratch names, which are harmless"))) {
            if (invocation.arguments().has(PEER)) {
                return findPeer(invocation, interruption);
            }
            invocation.warnOfPassword();
            Examination examination = examine(invocation, interruption);
            DoctorReport.print(invocation, examination);
            List<String> damage = invocation.arguments().has(GIT) ? List.of() : damage(invocation, interruption);
            damage.forEach(console::error);
            if (interruption.isRequested()) {
                console.error("interrupted; the findings are about the part until then");
                return ExitCode.INTERRUPTED;
            }
            return examination.grade() == Grade.UNSAFE || !damage.isEmpty() ? ExitCode.UNAVAILABLE : ExitCode.OK;
        }
    }

    /** What is wrong with each record of the store that cannot be read. */
    private static List<String> damage(Invocation invocation, Interruption interruption) {
        List<String> damage = new ArrayList<>();
        if (interruption.isRequested()) {
            return damage;
        }
        Console console = invocation.console();
        try (LeaseStore store = invocation.openStoreQuietly()) {
            RecordCheck check = new RecordCheck(store, console, interruption, damage);
            check.leases(new StoreSize(store, console, interruption).leases(), lease -> {});
            check.register();
        } catch (Interruption.Requested e) {
            // What was found until then is reported.
        }
        return damage;
    }

    private static int findPeer(Invocation invocation, Interruption interruption) throws InterruptedException {
        Duration wait = invocation.arguments().duration(WAIT, DEFAULT_WAIT);
        try (LeaseStore store = invocation.openStore();
                PeerCheck check = new PeerCheck(store)) {
            invocation.console().say("store " + store.id() + ": run 'leasehold doctor --peer' on the other host now");
            Optional<String> peer = check.find(wait, interruption::isRequested);
            if (peer.isEmpty() && interruption.isRequested()) {
                invocation.console().error("interrupted; no other host was seen until then");
                return ExitCode.INTERRUPTED;
            }
            return DoctorReport.printPeer(invocation, store.id(), wait, peer);
        }
    }

    private static Examination examine(Invocation invocation, Interruption interruption) throws InterruptedException {
        try (DoctorProgress progress = new DoctorProgress(invocation.console(), interruption)) {
            String remote = invocation.arguments().text(GIT);
            if (remote != null) {
                invocation.console().hideSecretsOf(remote);
                return new GitDoctor(Path.of("").toAbsolutePath(), invocation.environment(), remote, progress)
                        .examine();
            }
            LeaseTerms terms = LeaseTerms.ofTtl(SharedOptions.ttl(invocation));
            int rounds = (int) invocation.arguments().number(ROUNDS, 1, MOST_ROUNDS, StoreDoctor.ROUNDS);
            return new StoreDoctor(invocation::openStoreQuietly, terms, rounds, progress).examine();
        }
    }
}
