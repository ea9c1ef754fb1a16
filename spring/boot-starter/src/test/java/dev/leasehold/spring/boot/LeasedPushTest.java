package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.git.GitFence;
import dev.leasehold.git.GitPush;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spring.Leased;
import dev.leasehold.spring.OnBusy;
import dev.leasehold.spring.tx.LeasedFence;
import dev.leasehold.spring.tx.StaleLeaseException;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Two applications with a clone each, which push to one git remote under one lease. */
@Requires("git")
class LeasedPushTest {
    @TempDir
    Path folder;

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeaseholdAutoConfiguration.class)
    @Import(Publisher.class)
    static class Application {
        @Bean
        LeasedFence<GitPush> site(Environment settings) {
            return LeasedFence.of("publish", GitFence.at(workingCopy(settings), "origin"));
        }
    }

    private static Path workingCopy(Environment settings) {
        return Path.of(settings.getRequiredProperty("clone"));
    }

    static class Publisher {
        private final LeasedFence<GitPush> site;
        private final Path clone;

        Publisher(LeasedFence<GitPush> site, Environment settings) {
            this.site = site;
            this.clone = workingCopy(settings);
        }

        /** The plus sign lets git overwrite what the remote has, so that only the fence can refuse the push. */
        @Leased(name = "publish", onBusy = OnBusy.THROW)
        public void publish(String text, CountDownLatch committed, CountDownLatch mayPush) throws Exception {
            site.raise();
            commit(clone, text);
            committed.countDown();
            assertThat(mayPush.await(60, TimeUnit.SECONDS)).isTrue();
            site.write(GitPush.of("+main"));
        }
    }

    @BeforeEach
    void makeRemote() throws Exception {
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "remote");
        git(folder, "clone", "--quiet", "remote", "first");
        commit(folder.resolve("first"), "empty");
        git(folder.resolve("first"), "push", "--quiet", "origin", "HEAD:main");
        git(folder, "clone", "--quiet", "remote", "second");
        Stores.create("file:" + folder.resolve("leases")).close();
    }

    @Test
    void pushOfARunThatWasSupersededIsRefusedAndThatOfItsSuccessorLands() throws Exception {
        CountDownLatch committed = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch atOnce = new CountDownLatch(0);
        try (ConfigurableApplicationContext first = application("first");
                ConfigurableApplicationContext second = application("second")) {
            CompletableFuture<Void> frozen = run(first, "stale", committed, goesOn);
            assertThat(committed.await(60, TimeUnit.SECONDS)).isTrue();
            cancel(second.getBean(Leases.class));
            run(second, "successor", new CountDownLatch(1), atOnce).get(60, TimeUnit.SECONDS);
            goesOn.countDown();
            assertThat(frozen)
                    .failsWithin(Duration.ofSeconds(60))
                    .withThrowableThat()
                    .havingRootCause()
                    .isInstanceOf(StaleLeaseException.class)
                    .withMessageContaining("nothing was written: token 1 of publish is stale");
            assertThat(published()).isEqualTo("successor");

            git(folder.resolve("first"), "fetch", "--quiet", "origin");
            git(folder.resolve("first"), "reset", "--quiet", "--hard", "origin/main");
            run(first, "again", new CountDownLatch(1), atOnce).get(60, TimeUnit.SECONDS);
            assertThat(published())
                    .as("the next run of the application that was refused")
                    .isEqualTo("again");
        }
    }

    private ConfigurableApplicationContext application(String clone) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "leasehold.store=file:" + folder.resolve("leases"),
                        "clone=" + folder.resolve(clone))
                .run();
    }

    private static CompletableFuture<Void> run(
            ConfigurableApplicationContext application, String text, CountDownLatch committed, CountDownLatch mayPush) {
        Publisher publisher = application.getBean(Publisher.class);
        return CompletableFuture.runAsync(() -> {
            try {
                publisher.publish(text, committed, mayPush);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** As after the ttl of a frozen machine, without the wait. */
    private static void cancel(Leases leases) {
        leases.store()
                .intervene(Intervention.cancel(
                        LeaseName.of("publish"),
                        AttemptId.of("a-cancel"),
                        Holder.of("operator"),
                        Note.of("for the test")));
    }

    private String published() throws Exception {
        return git(folder.resolve("remote"), "show", "main:page");
    }

    private static void commit(Path clone, String text) throws Exception {
        Files.writeString(clone.resolve("page"), text);
        git(clone, "add", "page");
        git(clone, "-c", "user.name=U", "-c", "user.email=u@x", "commit", "--quiet", "--message", text);
    }

    private static String git(Path where, String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("git"));
        line.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(where.toFile()).redirectErrorStream(true);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(line + ": " + out).isZero();
        return out.strip();
    }
}
