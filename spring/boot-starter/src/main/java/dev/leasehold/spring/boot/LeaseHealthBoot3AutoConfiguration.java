package dev.leasehold.spring.boot;

import dev.leasehold.Leases;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The health indicator {@code leasehold} of Spring Boot 3. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass(
        name = {
            "org.springframework.boot.actuate.health.HealthIndicator",
            "org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator"
        })
@ConditionalOnBean(Leases.class)
@ConditionalOnEnabledHealthIndicator("leasehold")
public class LeaseHealthBoot3AutoConfiguration {
    @Bean
    HealthIndicator leaseholdHealthIndicator(Leases leases, RunningCalls running) {
        return () -> {
            LeaseHealth health = LeaseHealth.of(leases, running);
            return (health.up() ? Health.up() : Health.down())
                    .withDetails(health.details())
                    .build();
        };
    }
}
