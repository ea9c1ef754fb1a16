package dev.leasehold.spring.boot;

import dev.leasehold.Leases;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/** The actuator endpoint {@code leases}. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
@ConditionalOnBean(Leases.class)
public class LeasesEndpointAutoConfiguration {
    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = LeasesEndpoint.class)
    LeasesEndpoint leasesEndpoint(
            Leases leases, LeasedBeanChecks leased, ObjectProvider<ScheduledTaskHolder> scheduled) {
        return new LeasesEndpoint(leases, leased, scheduled);
    }
}
