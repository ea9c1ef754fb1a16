package dev.leasehold.spring.boot;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** A text of an annotation, with its placeholders resolved and its expressions parsed. */
final class MethodText {
    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    private final String text;
    private final @Nullable Expression expression;
    private final ConfigurableBeanFactory beans;

    private MethodText(String text, @Nullable Expression expression, ConfigurableBeanFactory beans) {
        this.text = text;
        this.expression = expression;
        this.beans = beans;
    }

    /** @throws RuntimeException if a placeholder is unknown or an expression is malformed */
    static MethodText of(String text, ConfigurableBeanFactory beans) {
        String resolved = resolve(text, beans);
        Expression expression = resolved.contains("#{")
                ? new SpelExpressionParser().parseExpression(resolved, new TemplateParserContext())
                : null;
        return new MethodText(resolved, expression, beans);
    }

    static String resolve(String text, ConfigurableBeanFactory beans) {
        String resolved = text.contains("${") ? beans.resolveEmbeddedValue(text) : text;
        return resolved == null ? "" : resolved;
    }

    /** Whether every call has the same text. */
    boolean isConstant() {
        return expression == null;
    }

    String evaluate(Object target, Method method, @Nullable Object[] arguments) {
        if (expression == null) {
            return text;
        }
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(target, method, arguments, PARAMETER_NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        return String.valueOf(expression.getValue(context, String.class));
    }

    @Override
    public String toString() {
        return text;
    }
}
