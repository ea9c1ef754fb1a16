package dev.leasehold.cli.command;

import dev.leasehold.Stores;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.Console;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.store.Observations;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call of a command: its arguments, environment and streams. */
public final class Invocation {
    private final Arguments arguments;
    private final Map<String, String> environment;
    private final Console console;
    private @Nullable Configuration configuration;

    public Invocation(Arguments arguments, Map<String, String> environment, Console console) {
        this.arguments = arguments;
        this.environment = environment;
        this.console = console;
    }

    public Arguments arguments() {
        return arguments;
    }

    public Console console() {
        return console;
    }

    public boolean json() {
        return arguments.has(CommonOptions.JSON);
    }

    public Map<String, String> environment() {
        return environment;
    }

    /** A variable of the environment; null if it is unset or empty. */
    @Nullable
    public String env(String variable) {
        String value = environment.get(variable);
        return value == null || value.isEmpty() ? null : value;
    }

    /** The URL of the store. It may contain a password, so never print it. */
    public String storeUrl() {
        String named = namedStore();
        return StoreUrl.absolute(named == null ? StoreUrl.ofUser(this) : named);
    }

    private @Nullable String namedStore() {
        String given = arguments.text(CommonOptions.STORE);
        String url = given == null ? StoreUrl.fromEnvironment(this) : StoreUrl.typed(given);
        return url == null ? configuredStore() : url;
    }

    /** The URL of a file with settings; null if neither an option nor the environment leaves it to them, or none has one. */
    public @Nullable String configuredStore() {
        if (arguments.has(CommonOptions.STORE) || environment.containsKey(StoreUrl.VARIABLE)) {
            return null;
        }
        Configuration.Setting setting = configuration().get(Configuration.STORE);
        try {
            return setting == null ? null : StoreUrl.typed(setting.value());
        } catch (UsageException e) {
            throw new UsageException(setting.where() + ": " + e.getMessage(), e);
        }
    }

    /** The settings of this user and this machine. */
    public Configuration configuration() {
        Configuration read = configuration;
        if (read == null) {
            read = Configuration.read(this);
            configuration = read;
        }
        return read;
    }

    /** Opens the store and prints its warnings. */
    public LeaseStore openStore() {
        warnOfPassword();
        return withWarnings(openStoreQuietly());
    }

    /** Comes before the store is opened: whether that works or not, others have seen the password. */
    public void warnOfPassword() {
        warnOfPassword("--store", arguments.text(CommonOptions.STORE));
    }

    /** @param url from the command line, or null */
    public void warnOfPassword(String where, @Nullable String url) {
        if (url != null && !Secrets.in(url).isEmpty()) {
            console.say("warning: every user of this machine can see the password in " + where
                    + " while the command runs. Use ?password-file=/path, or another place of docs/credentials.md");
        }
    }

    private LeaseStore withWarnings(LeaseStore store) {
        for (String warning : store.warnings()) {
            if (isDue(store, warning)) {
                console.say("warning: " + warning + " (This is said once a day; 'leasehold doctor' repeats it.)");
            }
        }
        return store;
    }

    private boolean isDue(LeaseStore store, String warning) {
        try {
            return new DailyWarnings(Path.of(StoreUrl.stateDirectory(this), "leasehold-warnings"))
                    .isDue(store.id().value(), warning, Instant.now());
        } catch (UsageException e) {
            // There is no home directory.
            return true;
        }
    }

    /**
     * Opens the store for a command that reports the warnings itself. Only the store of this user is
     * created by itself.
     */
    public LeaseStore openStoreQuietly() {
        boolean create = namedStore() == null;
        return open(url -> create ? Stores.create(url) : Stores.open(url));
    }

    /** Opens the store for a command that only reads, and so must not create even the store of this user. */
    public LeaseStore openStoreToRead() {
        warnOfPassword();
        return withWarnings(openStoreToReadQuietly());
    }

    /** The same, without its warnings. */
    public LeaseStore openStoreToReadQuietly() {
        return existing().orElseGet(MemoryLeaseStore::new);
    }

    /** As {@link #openStoreToRead}, but empty if no store is named and this user has none yet. */
    public Optional<LeaseStore> openStoreIfAny() {
        warnOfPassword();
        return existing().map(this::withWarnings);
    }

    private Optional<LeaseStore> existing() {
        try {
            return Optional.of(open(Stores::open));
        } catch (StoreMissingException e) {
            if (namedStore() != null) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private LeaseStore open(Function<String, LeaseStore> opener) {
        String url = storeUrl();
        console.hideSecretsOf(url);
        Path observations = StoreUrl.observationsOf(url, this);
        if (observations != null) {
            Observations.ofThisProcess().keepIn(observations);
        }
        try {
            return opener.apply(url);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }
}
