package dev.leasehold.spring.boot;

import dev.leasehold.spring.OnBusy;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code leasehold}.
 *
 * @param enabled if false, leased methods run without a lease
 * @param store where the leases are: a URL, {@code memory:}, {@code jdbc} for the data source or {@code
 *     redis} for the Redis connection of the application. By default the data source, or else the Redis
 *     connection
 * @param dataSource the bean name of the data source, if there are several
 * @param schema whether the tables are created, only checked, or printed. By default created in a data
 *     source; a store at a URL must exist
 * @param holder who holds the leases, for people; by default host, process and a random id
 * @param taskDecorator whether tasks of the application's executors keep the lease of their submitter
 * @param selfInvocation what to do about a leased method that its own class calls without the proxy
 * @param drain how long the shutdown waits for leased methods after it interrupted them
 */
@ConfigurationProperties("leasehold")
public record LeaseholdProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String store,
        @Nullable String dataSource,
        @Nullable SchemaMode schema,
        @Nullable String holder,
        @DefaultValue("true") boolean taskDecorator,
        @DefaultValue("refuse") SelfInvocation selfInvocation,
        @DefaultValue("10s") Duration drain,
        @DefaultValue Defaults defaults,
        @DefaultValue Fencing fencing,
        @DefaultValue Metrics metrics) {

    /** How the tables come into a database. */
    public enum SchemaMode {
        /** Creates what is missing. */
        CREATE,
        /** Creates nothing, and refuses to start if something is missing. */
        CHECK,
        /** As check, and prints the statements that a migration needs if something is missing. */
        PRINT
    }

    /** What to do about a call that bypasses the proxy. */
    public enum SelfInvocation {
        /** Does not start. */
        REFUSE,
        /** Logs a warning. */
        WARN,
        /** Does not look. */
        IGNORE
    }

    /**
     * What methods have that do not set it, nor does their class.
     *
     * @param heartbeat the time between renewals; by default a third of the ttl
     */
    public record Defaults(
            @DefaultValue("90s") Duration ttl,
            @Nullable Duration heartbeat,
            @DefaultValue("skip") OnBusy onBusy,
            @Nullable Duration waitFor,
            @Nullable String busyHandler,
            @Nullable Duration progressWithin,
            @Nullable Duration minHold) {}

    /**
     * Fenced transactions.
     *
     * @param exempt the bean names of transaction managers whose transactions are not fenced
     */
    public record Fencing(@DefaultValue("true") boolean enabled, @DefaultValue Set<String> exempt) {}

    /**
     * Metrics.
     *
     * @param names whether the name of a lease is a tag; only for few names
     */
    public record Metrics(@DefaultValue("false") boolean names) {}
}
