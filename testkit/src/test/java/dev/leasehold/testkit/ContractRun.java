package dev.leasehold.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Set;
import java.util.TreeSet;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs a contract with JUnit and reports which of its tests failed. */
record ContractRun(long started, Set<String> failed) {
    static ContractRun of(Class<?> contract) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(contract))
                                .build(),
                        listener);
        TestExecutionSummary summary = listener.getSummary();
        Set<String> failed = new TreeSet<>();
        for (TestExecutionSummary.Failure failure : summary.getFailures()) {
            failed.add(failure.getTestIdentifier()
                    .getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(source -> ((MethodSource) source).getMethodName())
                    .orElse("the class itself"));
        }
        return new ContractRun(summary.getTestsStartedCount(), failed);
    }
}
