package dev.leasehold.spring.boot;

import dev.leasehold.Leases;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Whether the store answers, for the health indicators of both versions of Spring Boot. */
record LeaseHealth(boolean up, Map<String, Object> details) {
    static LeaseHealth of(Leases leases, RunningCalls running) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("holder", leases.holder().toString());
        details.put("running", running.count());
        try {
            leases.store().names("", "", 1);
            details.put("store", leases.store().id().value());
            if (!leases.store().warnings().isEmpty()) {
                details.put("warnings", leases.store().warnings());
            }
            return new LeaseHealth(true, details);
        } catch (StoreUnavailableException | StoreCorruptException e) {
            details.put("error", String.valueOf(e.getMessage()));
            return new LeaseHealth(false, details);
        }
    }
}
