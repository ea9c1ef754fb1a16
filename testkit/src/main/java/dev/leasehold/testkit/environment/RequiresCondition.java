package dev.leasehold.testkit.environment;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Applies {@link Requires}. A class with the annotation is left out as a whole, before it starts
 * its servers.
 */
final class RequiresCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<String> leftOut = Requirements.ofThisMachine()
                .leaveOut(Requirements.nameOf(context.getTestClass(), context.getTestMethod()), missing(context));
        return leftOut.map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("everything it needs is installed"));
    }

    private static List<String> missing(ExtensionContext context) {
        List<String> missing = new ArrayList<>();
        if (context.getTestMethod().isPresent()) {
            addMissing(context.getTestMethod().get(), missing);
        } else {
            for (Class<?> each = context.getTestClass().orElse(null); each != null; each = each.getSuperclass()) {
                addMissing(each, missing);
            }
        }
        return missing;
    }

    private static void addMissing(AnnotatedElement element, List<String> missing) {
        @Nullable Requires requires = element.getDeclaredAnnotation(Requires.class);
        if (requires != null) {
            for (String need : requires.value()) {
                if (InstalledProgram.find(need).isEmpty() && !missing.contains(need)) {
                    missing.add(need);
                }
            }
        }
    }
}
