package dev.leasehold.simulator.soak;

import dev.leasehold.Stores;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.Program;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.cli.store.SoakCommand;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Trees;
import dev.leasehold.model.DurationText;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/** Runs {@link SoakCommand}. */
public final class SoakProgram implements Program {
    private static final Duration DEFAULT_TTL = Duration.ofSeconds(2);
    private static final Duration LEAST_TTL = Duration.ofSeconds(1);
    private static final Duration MOST_TTL = Duration.ofMinutes(1);
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofDays(7);
    private static final int DEFAULT_RATE = 25;
    private static final int MAX_RATE = 10_000;
    private static final int MAX_DIGITS = 12;
    private static final int FAILED = 1;

    @Override
    public int run(Invocation invocation) throws IOException, InterruptedException {
        Arguments arguments = invocation.arguments();
        Duration lasting = inRange(SoakCommand.MINUTES, minutes(arguments), LEAST, MOST);
        Soak.Pace pace = new Soak.Pace(
                (int) arguments.number(SoakCommand.RATE, 1, MAX_RATE, DEFAULT_RATE),
                inRange(SoakCommand.TTL, arguments.duration(SoakCommand.TTL, DEFAULT_TTL), LEAST_TTL, MOST_TTL));
        Path scratch = Files.createTempDirectory("leasehold-soak");
        try {
            Supplier<LeaseStore> opener = opener(invocation, scratch);
            Soak soak = new Soak(
                    opener, FencedFile::at, Files.createDirectory(scratch.resolve("files")), pace, new SystemIds());
            SoakViews views = new SoakViews(invocation, lasting);
            Soak.Result result;
            try (Signals handlers = Signals.forward(signal -> stopOn(signal, soak))) {
                invocation
                        .console()
                        .say("soaking for " + DurationText.show(lasting) + "; Ctrl-C ends it early, with the summary");
                result = soak.run(lasting, views::live);
            }
            views.summary(result);
            return result.isGood() ? ExitCode.OK : FAILED;
        } finally {
            Trees.delete(scratch);
        }
    }

    private static void stopOn(String signal, Soak soak) {
        if (!signal.equals("USR1")) {
            soak.stop();
        }
    }

    /** Not the default store: a soak there would surprise a user who did not name it. */
    private static Supplier<LeaseStore> opener(Invocation invocation, Path scratch) {
        boolean given = invocation.arguments().has(CommonOptions.STORE) || invocation.env(StoreUrl.VARIABLE) != null;
        return given ? invocation::openStoreQuietly : () -> Stores.create("file:" + scratch.resolve("leases"));
    }

    private static Duration inRange(Option option, Duration given, Duration least, Duration most) {
        if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
            throw new UsageException(option.dashed() + " is out of range: it must be between "
                    + DurationText.show(least) + " and " + DurationText.show(most));
        }
        return given;
    }

    private static Duration minutes(Arguments arguments) {
        Duration given = arguments.value(SoakCommand.MINUTES, SoakProgram::minutes);
        return given == null ? Duration.ofMinutes(1) : given;
    }

    /** A number without a unit means minutes. */
    private static Duration minutes(String text) {
        boolean plain = !text.isEmpty() && text.length() <= MAX_DIGITS;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            plain &= c == '.' || (c >= '0' && c <= '9');
        }
        if (!plain) {
            return DurationText.parse(text);
        }
        try {
            return Duration.ofMillis(
                    new BigDecimal(text).multiply(BigDecimal.valueOf(60_000)).longValue());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("write minutes such as 60 or 0.5, or a duration such as 90s", e);
        }
    }
}
