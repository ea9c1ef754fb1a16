package dev.leasehold.spring.boot;

import dev.leasehold.metrics.LeaseMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Counts what happens to leases in the application's registry. */
@AutoConfiguration(
        before = LeaseholdAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnProperty(name = "leasehold.enabled", matchIfMissing = true)
public class LeaseMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "leasehold.metrics.names", havingValue = "false", matchIfMissing = true)
    LeaseMetrics leaseMetrics(MeterRegistry registry) {
        return LeaseMetrics.on(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "leasehold.metrics.names", havingValue = "true")
    LeaseMetrics leaseMetricsWithNames(MeterRegistry registry) {
        return LeaseMetrics.withNames(registry);
    }
}
