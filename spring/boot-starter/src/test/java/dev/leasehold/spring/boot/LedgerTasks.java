package dev.leasehold.spring.boot;

import dev.leasehold.model.Grant;
import dev.leasehold.spring.tx.CurrentLease;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.scheduling.annotation.Async;

/** Tasks on threads of the application's executor. */
class LedgerTasks {
    @Async
    CompletableFuture<Optional<Grant>> currentGrant() {
        return CompletableFuture.completedFuture(CurrentLease.grant());
    }
}
