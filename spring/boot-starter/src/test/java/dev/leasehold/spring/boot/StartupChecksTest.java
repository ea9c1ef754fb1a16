package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.spring.Leased;
import dev.leasehold.spring.OnBusy;
import dev.leasehold.spring.tx.CurrentLease;
import dev.leasehold.spring.tx.LeaseTaskDecorator;
import jakarta.annotation.PostConstruct;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.task.TaskDecorator;

/** Mistakes that are refused when the application starts, and the settings. */
class StartupChecksTest {
    private final ApplicationContextRunner empty = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LeaseholdAutoConfiguration.class, FencedTransactionsAutoConfiguration.class));
    private final ApplicationContextRunner runner = empty.withPropertyValues("leasehold.store=memory:");

    static class FinalMethod {
        @Leased("a")
        public final void run() {}
    }

    static class PrivateMethod {
        @SuppressWarnings("UnusedMethod")
        @Leased("a")
        private void run() {}
    }

    static class FutureReturn {
        @Leased("a")
        public CompletableFuture<String> run() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class PublisherReturn {
        @Leased("a")
        public Flow.Publisher<String> run() {
            return subscriber -> {};
        }
    }

    static class PrimitiveReturn {
        @Leased("a")
        public int run() {
            return 1;
        }
    }

    static class ShortTtl {
        @Leased(name = "a", ttl = "20s")
        public void run() {}
    }

    static class NoName {
        @Leased
        public void run() {}
    }

    static class BadName {
        @Leased("no blanks")
        public void run() {}
    }

    static class BadExpression {
        @Leased("a-#{#x.}")
        public void run(String x) {}
    }

    static class BadDuration {
        @Leased(name = "a", ttl = "90")
        public void run() {}
    }

    static class UnknownPlaceholder {
        @Leased("${no.such.setting}")
        public void run() {}
    }

    static class WaitsForNothing {
        @Leased(name = "a", onBusy = OnBusy.WAIT)
        public void run() {}
    }

    static class NoHandler {
        @Leased(name = "a", onBusy = OnBusy.HANDLE)
        public void run() {}
    }

    static class CallsItself {
        @Leased("a")
        public void run(String text, int number) {}

        void indirectly() {
            run("text" + 1, 2);
        }
    }

    static class CallsItselfInALambda {
        @Leased("a")
        public void run() {}

        void indirectly() {
            Runnable task = () -> run();
            task.run();
        }
    }

    static class PassesItsMethodOn {
        @Leased("a")
        public void run() {}

        void indirectly() {
            Runnable task = this::run;
            task.run();
        }
    }

    static class StreamReturn {
        @Leased("a")
        public Stream<String> run() {
            return Stream.of("");
        }
    }

    static class CallableReturn {
        @Leased("a")
        public Callable<String> run() {
            return () -> "";
        }
    }

    static class AfterConstruction {
        static volatile boolean ran;

        @PostConstruct
        @Leased("a")
        public void run() {
            ran = true;
        }
    }

    static class AfterProperties implements InitializingBean {
        @Override
        @Leased("a")
        public void afterPropertiesSet() {}
    }

    static class UnknownVariable {
        @Leased(name = "a", key = "#{#tenat}")
        public void run(String tenant) {}
    }

    abstract static class Template {
        void template() {
            step();
        }

        abstract void step();
    }

    static class CalledByItsSuperclass extends Template {
        @Override
        @Leased("a")
        public void step() {}
    }

    static class CalledByAnInnerClass {
        @Leased("a")
        public void run() {}

        void indirectly() {
            new Thread() {
                @Override
                public void run() {
                    CalledByAnInnerClass.this.run();
                }
            }.start();
        }
    }

    public static class CallsItsProxy {
        @Autowired
        @Lazy
        private CallsItsProxy self;

        @Leased("a")
        public String run(String text) {
            return CurrentLease.grant().isPresent() + text;
        }

        public String indirectly() {
            return self.run("!");
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                FinalMethod.class,
                PrivateMethod.class,
                FutureReturn.class,
                PublisherReturn.class,
                PrimitiveReturn.class,
                ShortTtl.class,
                NoName.class,
                BadName.class,
                BadExpression.class,
                BadDuration.class,
                UnknownPlaceholder.class,
                WaitsForNothing.class,
                NoHandler.class,
                CallsItself.class,
                CallsItselfInALambda.class,
                PassesItsMethodOn.class,
                StreamReturn.class,
                CallableReturn.class,
                AfterConstruction.class,
                AfterProperties.class,
                UnknownVariable.class,
                CalledByItsSuperclass.class,
                CalledByAnInnerClass.class
            })
    void mistakeIsRefusedWithItsPlaceAndAFix(Class<?> bean) {
        runner.withBean(bean)
                .withPropertyValues("leasehold.defaults.heartbeat=10s")
                .run(context -> {
                    FailureAnalysis analysis = new LeaseSetupFailureAnalyzer().analyze(refusal(context));
                    assertThat(analysis.getDescription()).contains(bean.getName());
                    assertThat(analysis.getAction()).hasSizeGreaterThan(10);
                });
    }

    @Test
    void aMethodThatSpringCallsOnTheBareBeanIsRefusedBeforeItRuns() {
        AfterConstruction.ran = false;
        runner.withBean(AfterConstruction.class)
                .run(context -> assertThat(refusal(context)).hasMessageContaining("@PostConstruct"));
        assertThat(AfterConstruction.ran).isFalse();
    }

    static LeaseSetupException refusal(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        while (failure != null && !(failure instanceof LeaseSetupException)) {
            failure = failure.getCause();
        }
        assertThat(failure).as("of " + context.getStartupFailure()).isNotNull();
        return (LeaseSetupException) failure;
    }

    @Test
    void callThroughTheProxyIsNoMistake() {
        runner.withBean(CallsItsProxy.class)
                .run(context -> assertThat(context.getBean(CallsItsProxy.class).indirectly())
                        .isEqualTo("true!"));
    }

    @Test
    void selfInvocationCanBeAllowed() {
        runner.withBean(CallsItself.class)
                .withPropertyValues("leasehold.self-invocation=warn")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void missingStoreIsRefusedWithAllChoices() {
        empty.run(context -> assertThat(refusal(context).action())
                .contains("spring.datasource.url", "spring.data.redis.host", "leasehold.store=memory:"));
    }

    @Test
    void storeAtAUrlMustExist() {
        empty.withPropertyValues("leasehold.store=file:/nowhere/at/all")
                .run(context -> assertThat(refusal(context)).hasMessageContaining("leasehold.store"));
        empty.withPropertyValues("leasehold.store=nonsense")
                .run(context -> assertThat(refusal(context)).hasMessageContaining("leasehold.store"));
    }

    @Test
    void switchedOffMethodsRunWithoutALease() {
        empty.withBean(CallsItsProxy.class)
                .withPropertyValues("leasehold.enabled=false")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(Leases.class);
                    assertThat(context.getBean(CallsItsProxy.class).indirectly())
                            .isEqualTo("false!");
                });
    }

    @Test
    void taskDecoratorOfTheApplicationStays() {
        runner.run(context -> assertThat(context).hasSingleBean(LeaseTaskDecorator.class));
        runner.withBean("mine", TaskDecorator.class, () -> task -> task)
                .run(context -> assertThat(context).doesNotHaveBean(LeaseTaskDecorator.class));
    }

    @Test
    void applicationWithoutJdbcHasLeases() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.jdbc", "com.zaxxer"))
                .withBean(CallsItsProxy.class)
                .run(context -> assertThat(context.getBean(CallsItsProxy.class).indirectly())
                        .isEqualTo("true!"));
    }

    static class Sleeps {
        final CountDownLatch started = new CountDownLatch(1);
        volatile boolean interrupted;

        @Leased("long")
        public void run() {
            started.countDown();
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }

        CountDownLatch started() {
            return started;
        }

        boolean interrupted() {
            return interrupted;
        }
    }

    @Test
    void shutdownInterruptsTheWorkAndGivesTheLeaseBack() {
        runner.withBean(Sleeps.class).run(context -> {
            Sleeps bean = context.getBean(Sleeps.class);
            Leases leases = context.getBean(Leases.class);
            CompletableFuture<Void> work = CompletableFuture.runAsync(bean::run);
            assertThat(bean.started().await(30, TimeUnit.SECONDS)).isTrue();
            context.getBean(RunningCalls.class).stop();
            work.get(30, TimeUnit.SECONDS);
            assertThat(bean.interrupted()).isTrue();
            assertThat(leases.tryAcquire("long").lease()).as("it is free").isPresent();
            bean.run();
            assertThat(context.getBean(RunningCalls.class).count()).isZero();
        });
    }
}
