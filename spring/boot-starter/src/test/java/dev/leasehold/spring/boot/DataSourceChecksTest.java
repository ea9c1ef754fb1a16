package dev.leasehold.spring.boot;

import static dev.leasehold.spring.boot.StartupChecksTest.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Which data source has the leases, and which ones cannot work. */
class DataSourceChecksTest {
    private final ApplicationContextRunner empty = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LeaseholdAutoConfiguration.class, FencedTransactionsAutoConfiguration.class));

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {
        @Bean
        DataSource first() {
            return h2("first", 4);
        }

        @Bean
        DataSource second() {
            return h2("second", 4);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PoolOfOne {
        @Bean
        DataSource small() {
            return h2("small", 1);
        }
    }

    private static HikariDataSource h2(String name, int size) {
        HikariDataSource made = new HikariDataSource();
        made.setJdbcUrl("jdbc:h2:mem:" + name);
        made.setMaximumPoolSize(size);
        return made;
    }

    @Test
    void twoDataSourcesNeedAChoice() {
        empty.withUserConfiguration(TwoDataSources.class)
                .run(context -> assertThat(refusal(context)).hasMessageContaining("[first, second]"));
        empty.withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("leasehold.data-source=second")
                .run(context -> assertThat(context).hasSingleBean(Leases.class));
        empty.withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("leasehold.data-source=third")
                .run(context -> assertThat(refusal(context)).hasMessageContaining("'third'"));
    }

    @Test
    void poolOfOneConnectionIsRefused() {
        empty.withUserConfiguration(PoolOfOne.class)
                .run(context -> assertThat(refusal(context)).hasMessageContaining("has one connection"));
    }

    private ApplicationContextRunner with(DataSource source) {
        return empty.withBean("pool", DataSource.class, () -> source);
    }

    @Test
    void otherWaysToHaveOneConnectionAreRefusedToo() {
        with(new SingleConnectionDataSource("jdbc:h2:mem:single", true))
                .run(context -> assertThat(refusal(context)).hasMessageContaining("has one connection"));
        with(new TransactionAwareDataSourceProxy(h2("wrapped", 1)))
                .run(context -> assertThat(refusal(context)).hasMessageContaining("has one connection"));
    }

    /** The leases are elsewhere, but the fence needs a connection besides that of the transaction. */
    @Test
    void poolOfOneConnectionOfATransactionManagerIsRefused() {
        empty.withPropertyValues("leasehold.store=memory:")
                .withBean("orders", JdbcTransactionManager.class, () -> new JdbcTransactionManager(h2("orders", 1)))
                .run(context -> assertThat(refusal(context)).hasMessageContaining("'orders' has one connection"));
        empty.withPropertyValues("leasehold.store=memory:", "leasehold.fencing.exempt=orders")
                .withBean("orders", JdbcTransactionManager.class, () -> new JdbcTransactionManager(h2("orders", 1)))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void dataSourceThatLeadsToSeveralDatabasesIsRefused() {
        AbstractRoutingDataSource tenants = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "one";
            }
        };
        tenants.setTargetDataSources(Map.of("one", h2("one", 4), "two", h2("two", 4)));
        tenants.afterPropertiesSet();
        with(tenants)
                .run(context -> assertThat(refusal(context)).hasMessageContaining("another database at each call"));
    }

    /** A rollback of the caller must not take back a token that was granted. */
    @Test
    void leasesDoNotJoinTheTransactionOfACaller() {
        HikariDataSource pool = h2("joined", 4);
        with(new TransactionAwareDataSourceProxy(pool))
                .withBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(pool))
                .run(context -> {
                    Leases leases = context.getBean(Leases.class);
                    new TransactionTemplate(context.getBean(JdbcTransactionManager.class))
                            .executeWithoutResult(status -> {
                                assertThat(leases.tryAcquire("job").lease()).isPresent();
                                status.setRollbackOnly();
                            });
                    assertThat(leases.tryAcquire("job").lease())
                            .as("still held, after the rollback")
                            .isEmpty();
                });
    }

    @Test
    void tablesAreCreatedOrCheckedOrPrinted() {
        ApplicationContextRunner one = empty.withBean("pool", DataSource.class, () -> h2("schema", 4));
        one.withPropertyValues("leasehold.schema=check")
                .run(context -> assertThat(refusal(context)).hasMessageContaining("creates nothing"));
        one.withPropertyValues("leasehold.schema=print")
                .run(context -> assertThat(refusal(context).action())
                        .contains("create table if not exists leasehold_fence", "store-id"));
        one.run(context -> assertThat(context).hasSingleBean(Leases.class));
    }
}
