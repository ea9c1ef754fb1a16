package dev.leasehold.cli.command;

import dev.leasehold.Stores;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.Console;
import dev.leasehold.spi.LeaseStore;
import java.util.Map;
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
        String given = arguments.text(CommonOptions.STORE);
        return StoreUrl.absolute(given == null ? StoreUrl.fromEnvironment(this) : StoreUrl.typed(given));
    }

    /** Opens the store and prints its warnings. */
    public LeaseStore openStore() {
        LeaseStore store = openStoreQuietly();
        for (String warning : store.warnings()) {
            console.say("warning: " + warning);
        }
        return store;
    }

    /** Opens the store for a command that reports the warnings itself. */
    public LeaseStore openStoreQuietly() {
        String url = storeUrl();
        console.hideSecretsOf(url);
        try {
            return Stores.open(url);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }
}
