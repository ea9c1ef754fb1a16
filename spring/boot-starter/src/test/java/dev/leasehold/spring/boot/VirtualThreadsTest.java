package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.model.Grant;
import dev.leasehold.spring.Leased;
import dev.leasehold.spring.tx.CurrentLease;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Schedules, tasks and the shutdown of an application with {@code spring.threads.virtual.enabled}. */
class VirtualThreadsTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    @EnableAsync
    @Import({Job.class, Task.class})
    static class Application {}

    static class Task {
        @Async
        CompletableFuture<Optional<Grant>> currentGrant() {
            return CompletableFuture.completedFuture(isVirtual() ? CurrentLease.grant() : Optional.empty());
        }
    }

    static class Job {
        private final CompletableFuture<Boolean> onVirtualThread = new CompletableFuture<>();
        private final CompletableFuture<Optional<Grant>> ofTask = new CompletableFuture<>();
        private final CountDownLatch interrupted = new CountDownLatch(1);
        private final Task task;

        Job(Task task) {
            this.task = task;
        }

        /** Runs until the application stops. */
        @Scheduled(fixedDelay = 1000)
        @Leased("virtual")
        public void run() throws Exception {
            onVirtualThread.complete(isVirtual());
            ofTask.complete(task.currentGrant().get(30, TimeUnit.SECONDS));
            try {
                Thread.sleep(120_000);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        }

        CompletableFuture<Boolean> onVirtualThread() {
            return onVirtualThread;
        }

        CompletableFuture<Optional<Grant>> ofTask() {
            return ofTask;
        }

        CountDownLatch interrupted() {
            return interrupted;
        }
    }

    /** Java 17 has no method for it. */
    private static boolean isVirtual() {
        return Thread.currentThread().toString().startsWith("VirtualThread[");
    }

    /** On the method, because a subclass would not inherit it from the class. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void leasedMethodRunsOnAVirtualThreadAndStopsWithTheApplication() throws Exception {
        Job job;
        Leases leases;
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.threads.virtual.enabled=true",
                        // How long Spring waits for the scheduler before leased methods are interrupted.
                        "spring.lifecycle.timeout-per-shutdown-phase=1s",
                        "spring.main.banner-mode=off",
                        // The data source that Spring Boot makes by itself, in memory.
                        "spring.datasource.url=jdbc:h2:mem:virtual;DB_CLOSE_DELAY=-1")
                .run()) {
            job = application.getBean(Job.class);
            leases = application.getBean(Leases.class);
            assertThat(job.onVirtualThread().get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(job.ofTask().get(60, TimeUnit.SECONDS).map(grant -> grant.name()
                            .value()))
                    .contains("virtual");
            assertThat(leases.tryAcquire("virtual").lease()).isEmpty();
        }
        assertThat(job.interrupted().await(60, TimeUnit.SECONDS)).isTrue();
    }
}
