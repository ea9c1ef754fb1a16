package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spring.Leased;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Names and keys that depend on the arguments of a call. */
class LeasedExpressionsTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LeaseholdAutoConfiguration.class, FencedTransactionsAutoConfiguration.class))
            .withPropertyValues("leasehold.store=memory:");

    public static class Tenants {
        @Leased(name = "t/#{#tenant}")
        public void named(String tenant) {}

        @Leased(name = "a", key = "#{#tenant}")
        public void keyed(String tenant) {}

        @Leased(name = "a", key = "#{#tenant.length()}")
        public void measured(String tenant) {}
    }

    /** All calls without a tenant would share one name or one key: the second would be skipped for ever. */
    @Test
    void aNameOrKeyWithoutAValueRunsNothing() {
        runner.withBean(Tenants.class).run(context -> {
            Tenants bean = context.getBean(Tenants.class);
            assertThatThrownBy(() -> bean.named(null))
                    .hasMessageContaining("Tenants.named")
                    .hasMessageContaining("null");
            assertThatThrownBy(() -> bean.keyed(null))
                    .hasMessageContaining("Tenants.keyed")
                    .hasMessageContaining("null");
            assertThatThrownBy(() -> bean.measured(null)).hasMessageContaining("Tenants.measured");
        });
    }
}
