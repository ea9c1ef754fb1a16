package dev.leasehold.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a mistake and its fix without a stack trace. */
final class LeaseSetupFailureAnalyzer extends AbstractFailureAnalyzer<LeaseSetupException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LeaseSetupException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}
