package dev.leasehold.spring.boot;

import dev.leasehold.spring.BusyHandler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;

/** An application that books entries under leases. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@EnableAsync
@Import({LedgerJobs.class, LedgerTasks.class})
class LedgerApplication {
    @Bean
    MeterRegistry meterRegistry() {
        return new SimpleMeterRegistry();
    }

    @Bean
    BusyHandler answering() {
        return (name, busy, method, arguments) -> "busy: " + name;
    }

    @Bean
    String partOfAName() {
        return "of-a-bean";
    }
}
