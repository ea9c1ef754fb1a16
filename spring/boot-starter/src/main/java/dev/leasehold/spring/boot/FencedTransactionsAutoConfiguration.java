package dev.leasehold.spring.boot;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spring.boot.LeaseholdProperties.SchemaMode;
import dev.leasehold.spring.tx.FencedTransactionManagers;
import dev.leasehold.spring.tx.FencedTransactions;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Fences the transactions of all transaction managers. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.jdbc.datasource.ConnectionHolder")
@ConditionalOnProperty(
        name = {"leasehold.enabled", "leasehold.fencing.enabled"},
        matchIfMissing = true)
public class FencedTransactionsAutoConfiguration {
    private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

    @Bean
    static FencedTransactionManagers fencedTransactionManagers(
            ObjectProvider<FencedTransactions> fenced, Environment environment) {
        Set<String> exempt = Binder.get(environment)
                .bind("leasehold.fencing.exempt", Bindable.setOf(String.class))
                .orElse(Set.of());
        return new FencedTransactionManagers(fenced::getObject, exempt);
    }

    /** Asks for the store as late as it can: transaction managers are made before much else. */
    @Bean
    static FencedTransactions fencedTransactions(Environment environment, ObjectProvider<LeaseStore> store) {
        SchemaMode schema = Binder.get(environment)
                .bind("leasehold.schema", SchemaMode.class)
                .orElse(SchemaMode.CREATE);
        FencedTransactions made = schema == SchemaMode.CREATE
                ? FencedTransactions.creatingTables()
                : FencedTransactions.expectingTables();
        return made.naming(store::getObject);
    }

    /** After the migrations, and before the first transaction: inside one, it would need a second connection. */
    @Bean
    static SmartInitializingSingleton fencedTransactionsPreparation(FencedTransactions fenced) {
        return () -> {
            fenced.dataSources()
                    .forEach((name, source) -> LeaseDatabase.requireTwoConnections(
                            source,
                            "The pool of the transaction manager '" + name
                                    + "' has one connection. The fence of a lease"
                                    + " that begins inside a transaction needs another one."));
            for (Map.Entry<String, RuntimeException> failure :
                    fenced.prepareAttached().entrySet()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "transactions of '" + failure.getKey() + "' cannot be fenced, and are refused under a lease: "
                                + failure.getValue().getMessage()
                                + ". If a stale commit does no harm there, set leasehold.fencing.exempt="
                                + failure.getKey());
            }
        };
    }
}
