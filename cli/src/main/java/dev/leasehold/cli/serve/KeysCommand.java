package dev.leasehold.cli.serve;

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
import dev.leasehold.cli.output.Table;
import dev.leasehold.server.AccessKey;
import dev.leasehold.server.AccessKeys;
import dev.leasehold.server.Role;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code leasehold keys}: the keys that clients of a server need. */
public final class KeysCommand implements Command {
    private static final Option ROLE = Option.of(
            "role", "reader|holder|operator", Kind.CHOICE, "what the key is for: looking, working, or intervening too");
    private static final Option PREFIX = Option.of(
            "prefix", "S", Kind.TEXT, "only for names that start with this, such as team-a/ (default: all names)");
    private static final Option EXPIRES = Option.of("expires", "D", Kind.DURATION, "end the key after this time");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("keys", "make, list and revoke the keys of a server's clients")
                .description(
                        """
                        'keys add OWNER --role R' makes a key in the store and prints it, once: only its digest is kept.
                        A client sends it as 'Authorization: Bearer KEY'; commands of Leasehold take it from
                        LEASEHOLD_ACCESS_KEY. From the first key on, every call to every server of the store needs one.
                        'keys list' shows all keys with their last use. 'keys revoke ID' ends a key: from the next second on
                        it opens nothing. Needs the store itself, not a server.""")
                .positional(Positional.of("add|list|revoke", Kind.CHOICE))
                .positional(Positional.optional("OWNER-OR-ID", Kind.TEXT))
                .option(ROLE)
                .option(PREFIX)
                .option(EXPIRES)
                .example("leasehold keys add sandbox-7 --role holder --prefix team-a/ --expires 30d");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        String action = arguments.positionals().get(0);
        String subject = arguments.positional(1);
        boolean add = action.equals("add");
        if (!add && (arguments.has(ROLE) || arguments.has(PREFIX) || arguments.has(EXPIRES))) {
            throw new UsageException("--role, --prefix and --expires are for 'keys add' only");
        }
        if (action.equals("list") == (subject != null)) {
            throw new UsageException(
                    subject == null
                            ? "'keys " + action + "' needs "
                                    + (add ? "an owner: who the key is for" : "the id of a key")
                            : "'keys list' takes nothing more");
        }
        if (StoreUrl.isServer(invocation.storeUrl())) {
            throw new UsageException("keys are made in the store itself: name it with --store, instead of a server");
        }
        try (LeaseStore store = invocation.openStoreQuietly()) {
            AccessKeys keys = new AccessKeys(store.register());
            if (subject == null) {
                return list(invocation, keys, store);
            }
            return add ? add(invocation, keys, subject) : revoke(invocation, keys, subject);
        }
    }

    private static int add(Invocation invocation, AccessKeys keys, String owner) {
        Arguments arguments = invocation.arguments();
        Role role = arguments.value(ROLE, Role::ofWord);
        if (role == null) {
            throw new UsageException("'keys add' needs --role reader, holder or operator");
        }
        String prefix = arguments.text(PREFIX);
        if (prefix != null && prefix.isEmpty()) {
            throw new UsageException("--prefix is empty: a key for all names is made by leaving the option out");
        }
        Duration lifetime = arguments.duration(EXPIRES);
        if (lifetime != null && lifetime.isZero()) {
            throw new UsageException("--expires must be more than zero");
        }
        AccessKeys.Made made;
        try {
            made = keys.add(owner, role, prefix == null ? "" : prefix, lifetime);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
        invocation.console().changed("key " + made.key().id() + " exists; revoke it if its text is lost");
        invocation
                .console()
                .print(
                        invocation.json()
                                ? json(made.key(), made.key().made())
                                        .put("key", made.text())
                                        .toString()
                                : made.text());
        invocation
                .console()
                .say("this is shown once; 'leasehold keys revoke " + made.key().id() + "' ends it");
        return ExitCode.OK;
    }

    private static int revoke(Invocation invocation, AccessKeys keys, String id) {
        AccessKey revoked = keys.revoke(id).orElse(null);
        if (revoked == null) {
            throw new UsageException("there is no key '" + id + "'; 'leasehold keys list' shows the ids");
        }
        if (invocation.json()) {
            invocation.console().print(json(revoked, revoked.made()).toString());
        }
        invocation.console().say(revoked + " is revoked: from the next second on it opens nothing");
        return ExitCode.OK;
    }

    private static int list(Invocation invocation, AccessKeys keys, LeaseStore store) {
        List<AccessKey> all = keys.list();
        Instant now = store.register().read("keys/").at();
        if (invocation.json()) {
            all.forEach(key -> invocation.console().print(json(key, now).toString()));
            return ExitCode.OK;
        }
        Table table = new Table("ID", "OWNER", "ROLE", "PREFIX", "STATE", "MADE", "LAST USE", "EXPIRES");
        for (AccessKey key : all) {
            table.row(
                    key.id(),
                    key.owner(),
                    key.role().word(),
                    key.prefix().isEmpty() ? "-" : key.prefix(),
                    state(key, now),
                    key.made().toString(),
                    text(key.used()),
                    text(key.expires()));
        }
        table.lines().forEach(invocation.console()::print);
        return ExitCode.OK;
    }

    private static String text(@Nullable Instant instant) {
        return instant == null ? "-" : instant.toString();
    }

    private static String state(AccessKey key, Instant now) {
        return key.revoked() != null ? "revoked" : key.isValid(now) ? "valid" : "expired";
    }

    private static Json json(AccessKey key, Instant now) {
        return new Json()
                .put("id", key.id())
                .put("owner", key.owner())
                .put("role", key.role().word())
                .put("prefix", key.prefix())
                .put("state", state(key, now))
                .put("made", key.made())
                .put("used", key.used())
                .put("expires", key.expires());
    }
}
