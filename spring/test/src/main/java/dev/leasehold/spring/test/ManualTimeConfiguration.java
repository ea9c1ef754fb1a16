package dev.leasehold.spring.test;

import dev.leasehold.model.StoreId;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans of {@link ManualLeaseTime}. */
@Configuration(proxyBeanMethods = false)
class ManualTimeConfiguration {
    @Bean
    ManualContext leaseTime() {
        return new ManualContext();
    }

    @Bean
    EngineContext leaseEngineContext(ManualContext leaseTime) {
        return leaseTime.context();
    }

    /** Closed with the leases. */
    @Bean(destroyMethod = "")
    LeaseStore leaseStore(ManualContext leaseTime) {
        return new MemoryLeaseStore(StoreId.of("manual-time"), leaseTime.clock());
    }
}
