package dev.leasehold.cli.command;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Options that several commands share. */
public final class SharedOptions {
    private static final Duration LEAST_TTL = Duration.ofSeconds(1);

    public static final Option TTL = Option.of(
            "ttl",
            "D",
            Kind.DURATION,
            "how long the lease lasts without renewal (default: that of leasehold.conf, else 90s; at least 1s)");
    public static final Option HOLDER =
            Option.of("holder", "H", Kind.TEXT, "the holder's name, for people to read (default: host-pid-random)");
    /** The same option for commands of an operator. */
    public static final Option OPERATOR =
            Option.of("holder", "H", Kind.TEXT, "your name, for people to read (default: host-pid-random)");

    public static final Option NAME =
            Option.of("name", "NAME", Kind.LEASE_NAME, "the name of the lease (default: $LEASEHOLD_NAME)");
    public static final Option TOKEN = Option.of(
            "token",
            "T",
            Kind.TOKEN,
            "the token of the lease (default: $LEASEHOLD_TOKEN); never looked up in the store");
    public static final Option GRANT = Option.of(
            "grant", "G", Kind.TEXT, "the whole grant, as 'acquire --json' prints it (default: $LEASEHOLD_GRANT)");
    public static final Option REASON =
            Option.of("reason", "S", Kind.TEXT, "the reason, which is recorded").needed();
    public static final Option GUARD = Option.of(
                    "guard",
                    "TARGET",
                    Kind.FILE,
                    "a file, directory or git remote to raise to the new token, so that it refuses the old holder")
            .repeated();

    private SharedOptions() {}

    /** Of the option, else of a file with settings. */
    public static Duration ttl(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Configuration.Setting setting =
                arguments.has(TTL) ? null : invocation.configuration().get(Configuration.TTL);
        Duration ttl = setting == null
                ? arguments.duration(TTL, LeaseTerms.DEFAULT_TTL)
                : parsed(setting, DurationText::parse);
        if (ttl.compareTo(LEAST_TTL) < 0 || ttl.compareTo(LeaseTerms.MAX_TTL) > 0) {
            String which = setting == null ? "--ttl " + arguments.text(TTL) : setting.where() + ": ttl";
            throw new UsageException(which + " is out of range: it must be between " + DurationText.show(LEAST_TTL)
                    + " and " + DurationText.show(LeaseTerms.MAX_TTL));
        }
        return ttl;
    }

    /** Of the option, else of a file with settings; null if neither names one. */
    public static @Nullable Holder holder(Invocation invocation) {
        Holder given = invocation.arguments().value(HOLDER, Holder::of);
        Configuration.Setting setting =
                given == null ? invocation.configuration().get(Configuration.HOLDER) : null;
        return setting == null ? given : parsed(setting, Holder::of);
    }

    private static <T> T parsed(Configuration.Setting setting, Function<String, T> parser) {
        try {
            return parser.apply(setting.value());
        } catch (IllegalArgumentException e) {
            throw Arguments.bad(setting.where() + ":", setting.value(), e);
        }
    }

    public static Note reason(Arguments arguments) {
        Note reason = arguments.value(REASON, Note::of);
        if (reason == null) {
            throw new UsageException("--reason is missing");
        }
        return reason;
    }
}
