package dev.leasehold.cli.store;

import dev.leasehold.Stores;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.cli.output.Json;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code leasehold store}: creates a store, shows the settings, adopts a copy of a store, or moves one to another place. */
public final class StoreCommand implements Command {
    private static final Option ALLOW_SYNCED =
            Option.flag("allow-synced", "create the store even in a folder that a program keeps in sync");

    private static final Option FROM = Option.of("from", "URL", Kind.URL, "the store to move, for 'migrate'");
    private static final Option TO = Option.of("to", "URL", Kind.URL, "the place to move it to, for 'migrate'");

    static final Option NEVER_USED = Option.flag(
            "never-used", "the new place was never used; only if 'migrate' asks for it after an interruption");

    private static final String FILE = "file:";
    private static final String MIGRATE = "migrate";

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("store", "create, show, adopt or move a store")
                .description(
                        """
                        'store init URL' creates a store and prints its URL with its id. All other commands use a
                        store that exists: a share that is not mounted, or a database that was flushed, must not become
                        a second store that grants the same leases. Use the URL with the id, and another store at the same
                        place is refused. On a store that exists, init changes nothing and prints the URL.
                        'store info' shows which store this program uses, its other settings, and where each comes from:
                        an option, the environment, leasehold.conf of this user or of this machine, or the default.
                        'store adopt URL' makes a copied or restored file store usable in place of the original. Make
                        sure that nobody uses the original any longer: both would grant the same tokens. Then raise the
                        counters above every token that was given out since the copy was made, with 'repair'.
                        'store migrate --from URL --to URL' moves a store to a place without one: leases with their
                        counters and histories, work items, records of jobs and runs, and the id, so that targets go on
                        working. The old store tells every client from then on that it was moved, and to where. Leases
                        that are held stay held for the time that is left; their runs cannot renew them and end then.
                        If it is interrupted, repeat it.""")
                .positional(Positional.of("init|info|adopt|migrate", Kind.CHOICE))
                .positional(Positional.optional("URL", Kind.URL))
                .option(ALLOW_SYNCED)
                .option(FROM)
                .option(TO)
                .option(NEVER_USED)
                .example("leasehold store init file:/shared/leases")
                .example("leasehold store migrate --from file:/shared/leases --to postgresql://db.example.org/leases");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        boolean migrate = arguments.positionals().get(0).equals(MIGRATE);
        if (!migrate && (arguments.has(FROM) || arguments.has(TO) || arguments.has(NEVER_USED))) {
            throw new UsageException("--from, --to and --never-used are for 'store migrate' only");
        }
        if (migrate) {
            return migrate(invocation);
        }
        String given = arguments.positional(1);
        if (arguments.positionals().get(0).equals("info")) {
            if (given != null) {
                throw new UsageException(
                        "'store info' takes no URL: it shows the store that --store, the environment or"
                                + " leasehold.conf names");
            }
            return new StoreInfo(invocation).print();
        }
        String url = given == null ? invocation.storeUrl() : StoreUrl.absolute(StoreUrl.typed(given));
        invocation.console().hideSecretsOf(url);
        invocation.warnOfPassword();
        invocation.warnOfPassword("the URL", given);
        try {
            boolean init = arguments.positionals().get(0).equals("init");
            try (LeaseStore store = init ? init(url, invocation) : adopt(url)) {
                invocation.console().changed("the store can be used; 'leasehold store init' prints its URL again");
                store.warnings().forEach(warning -> invocation.console().say("warning: " + warning));
                print(invocation, url, store);
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
        return ExitCode.OK;
    }

    private static LeaseStore init(String url, Invocation invocation) {
        try {
            LeaseStore existing = Stores.open(url);
            invocation.console().say("the store exists already; nothing was changed");
            return existing;
        } catch (StoreMissingException e) {
            refuseSynced(url, invocation);
            return Stores.create(url);
        }
    }

    private static void refuseSynced(String url, Invocation invocation) {
        if (url.indexOf('?') < 0
                && url.startsWith(FILE)
                && !invocation.arguments().has(ALLOW_SYNCED)) {
            SyncedFolders.refuse(directory(url));
        }
    }

    private static int migrate(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        if (arguments.positional(1) != null) {
            throw new UsageException("'store migrate' takes no URL of its own: write --from URL --to URL");
        }
        String from = place(FROM, invocation);
        String to = place(TO, invocation);
        if (StoreUrl.isServer(from) || StoreUrl.isServer(to)) {
            throw new UsageException(
                    "a store is moved where it is kept, not through a server: name the store behind the"
                            + " server. Its servers then have to be started again with the new URL");
        }
        if (to.contains("?id=") || to.contains("&id=")) {
            throw new UsageException("--to names a place without a store: leave out '?id=...'");
        }
        if (to.startsWith("h2:mem")) {
            throw new UsageException("--to names a database in memory, which ends with this command: name a file");
        }
        if (from.startsWith(FILE) && isInside(to, directory(from))) {
            throw new UsageException("--to names a place inside the store that is moved: name another directory");
        }
        refuseSynced(to, invocation);
        return new StoreMove(invocation, from, to).make();
    }

    /** Whether the file or directory of a URL lies below the directory of a store. */
    private static boolean isInside(String url, Path store) {
        int colon = url.indexOf(':');
        String path = url.substring(colon + 1);
        if (!List.of("file", "sqlite", "h2").contains(url.substring(0, colon)) || !path.startsWith("/")) {
            return false;
        }
        Path place = Path.of(path).normalize();
        Path real = real(store);
        for (Path at = place; at != null; at = at.getParent()) {
            if (real(at).equals(real)) {
                return !at.equals(place) || !url.startsWith(FILE);
            }
        }
        return false;
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }

    private static String place(Option option, Invocation invocation) {
        String given = invocation.arguments().text(option);
        if (given == null) {
            throw new UsageException("'store migrate' needs --from URL and --to URL");
        }
        String url = StoreUrl.absolute(StoreUrl.typed(given));
        invocation.console().hideSecretsOf(url);
        invocation.warnOfPassword(option.dashed(), given);
        return url;
    }

    private static LeaseStore adopt(String url) {
        if (url.indexOf('?') >= 0) {
            throw new UsageException("a copy is adopted by its place alone: leave out '?id=...'");
        }
        if (!url.startsWith(FILE)) {
            throw new UsageException("only a file store can be adopted: copies of a database are not noticed."
                    + " After restoring one, raise its counters with 'leasehold repair'");
        }
        return FileLeaseStore.adopt(directory(url));
    }

    private static Path directory(String url) {
        String path = url.substring(FILE.length());
        int question = path.indexOf('?');
        return Path.of(question < 0 ? path : path.substring(0, question)).toAbsolutePath();
    }

    private static void print(Invocation invocation, String url, LeaseStore store) {
        String shown = Secrets.hide(Stores.withId(url, store.id()), Secrets.in(url));
        if (invocation.json()) {
            invocation
                    .console()
                    .print(new Json().put("url", shown).put("id", store.id()).toString());
        } else {
            invocation.console().print(shown);
        }
    }
}
