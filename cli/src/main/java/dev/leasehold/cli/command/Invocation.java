package dev.leasehold.cli.command;

import dev.leasehold.Stores;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.Console;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.store.Observations;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call of a command: its arguments, environment and streams. */
public final class Invocation {
    private final Arguments arguments;
    private final Map<String, String> environment;
    private final Console console;

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
        return given == null ? StoreUrl.fromEnvironment(this) : StoreUrl.typed(given);
    }

    /** Opens the store and prints its warnings. */
    public LeaseStore openStore() {
        return withWarnings(openStoreQuietly());
    }

    private LeaseStore withWarnings(LeaseStore store) {
        for (String warning : store.warnings()) {
            console.say("warning: " + warning);
        }
        return store;
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
        return withWarnings(openStoreToReadQuietly());
    }

    /** The same, without its warnings. */
    public LeaseStore openStoreToReadQuietly() {
        return existing().orElseGet(MemoryLeaseStore::new);
    }

    /** As {@link #openStoreToRead}, but empty if no store is named and this user has none yet. */
    public Optional<LeaseStore> openStoreIfAny() {
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
