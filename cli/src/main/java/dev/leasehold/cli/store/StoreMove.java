package dev.leasehold.cli.store;

import dev.leasehold.StoreMigration;
import dev.leasehold.Stores;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Interruption;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.ProgressBar;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** {@code leasehold store migrate}: moves a store after a look at its records, and reports the outcome. */
final class StoreMove {
    private final Invocation invocation;
    private final Console console;
    private final String from;
    private final String to;

    StoreMove(Invocation invocation, String from, String to) {
        this.invocation = invocation;
        this.console = invocation.console();
        this.from = from;
        this.to = to;
    }

    /** Returns the exit code. */
    int make() {
        try (Interruption interruption = new Interruption(() -> console.say("ending after the current record"))) {
            return move(examine(interruption), interruption);
        } catch (Interruption.Requested e) {
            console.error("interrupted; nothing was changed");
            return ExitCode.INTERRUPTED;
        } catch (StoreMovedException e) {
            throw e;
        } catch (StoreUnavailableException e) {
            console.error(e.getMessage()
                    + (hasBegun() ? ". The move has begun: repeat it, to this place or to another one" : ""));
            return ExitCode.UNAVAILABLE;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Ctrl-C ends it after the current record: what was copied stays, and a repeated move goes on. */
    private int move(long total, Interruption interruption) {
        boolean neverUsed = invocation.arguments().has(StoreCommand.NEVER_USED);
        StoreMigration.Moved moved;
        ProgressBar progress = new ProgressBar(console, "leases and records moved", total);
        try (progress) {
            moved = StoreMigration.move(from, to, neverUsed, copied -> {
                progress.accept(copied);
                interruption.check();
            });
        } catch (Interruption.Requested e) {
            console.error("interrupted after " + progress.done()
                    + " leases and records. The move has begun, and the old store"
                    + " cannot be used: repeat it, to this place or to another one");
            return ExitCode.INTERRUPTED;
        }
        report(moved);
        return ExitCode.OK;
    }

    /**
     * Reads every record, because one that cannot be read would stop the move half-way. Returns how many there are; zero if a
     * move has begun before, so that the old store cannot be read.
     */
    private long examine(Interruption interruption) {
        List<String> damage = new ArrayList<>();
        AtomicLong held = new AtomicLong();
        long count;
        try (LeaseStore store = Stores.open(from)) {
            StoreSize size = new StoreSize(store, console, interruption);
            long leases = size.leases();
            count = leases + size.records();
            RecordCheck check = new RecordCheck(store, console, interruption, damage);
            check.leases(leases, lease -> held.addAndGet(lease.isFree() ? 0 : 1));
            check.register();
        } catch (StoreMovedException e) {
            return 0;
        }
        requireNoDamage(damage);
        warnAboutHeld(held.get());
        return count;
    }

    private void requireNoDamage(List<String> damage) {
        if (!damage.isEmpty()) {
            damage.forEach(console::error);
            throw new StoreUnavailableException(
                    "records of the store are damaged; nothing was changed. Mend them first");
        }
    }

    private void warnAboutHeld(long held) {
        if (held > 0) {
            console.say(
                    held == 1
                            ? "1 lease is held. Its run cannot renew it after the move, and ends when the time is over"
                            : held
                                    + " leases are held. Their runs cannot renew them after the move, and end when the time"
                                    + " is over");
        }
    }

    private boolean hasBegun() {
        try (LeaseStore store = Stores.open(from)) {
            return false;
        } catch (StoreMovedException e) {
            return e.stage() == StoreMovedException.Stage.MOVING;
        } catch (StoreUnavailableException | IllegalArgumentException e) {
            return false;
        }
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private void report(StoreMigration.Moved moved) {
        String url = Secrets.hide(Stores.withId(to, moved.id()), Secrets.in(to));
        console.say(
                moved.before()
                        ? "the store was moved before; nothing was changed"
                        : "moved " + count(moved.leases(), "lease") + " and " + count(moved.records(), "record")
                                + ". Use this URL from now on, in crontabs, job files and LEASEHOLD_STORE"
                                + (url.contains("***") ? ", with the password in place of ***" : "")
                                + "; the old store refers to it");
        console.print(
                invocation.json()
                        ? new Json()
                                .put("outcome", moved.before() ? "unchanged" : "migrated")
                                .put("url", url)
                                .put("id", moved.id())
                                .put("leases", moved.leases())
                                .put("records", moved.records())
                                .toString()
                        : url);
    }
}
