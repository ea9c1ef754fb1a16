package dev.leasehold.spring.boot;

import dev.leasehold.Leases;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health indicator {@code leasehold} of Spring Boot 4. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
@ConditionalOnBean(Leases.class)
@ConditionalOnEnabledHealthIndicator("leasehold")
public class LeaseHealthBoot4AutoConfiguration {
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
