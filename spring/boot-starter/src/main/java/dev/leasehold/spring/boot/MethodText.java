package dev.leasehold.spring.boot;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** A text of an annotation, with its placeholders resolved and its expressions parsed. */
final class MethodText {
    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    private final String what;
    private final String text;
    private final List<Expression> parts;
    private final ConfigurableBeanFactory beans;

    private MethodText(String what, String text, List<Expression> parts, ConfigurableBeanFactory beans) {
        this.what = what;
        this.text = text;
        this.parts = parts;
        this.beans = beans;
    }

    /**
     * @param what the attribute that has the text, for messages
     * @throws RuntimeException if a placeholder is unknown, an expression is malformed, or one uses a parameter that the
     *     method does not have
     */
    static MethodText of(String what, String text, Method method, ConfigurableBeanFactory beans) {
        String resolved = resolve(text, beans);
        if (!resolved.contains("#{")) {
            return new MethodText(what, resolved, List.of(), beans);
        }
        Expression whole = new SpelExpressionParser().parseExpression(resolved, new TemplateParserContext());
        List<Expression> parts = whole instanceof CompositeStringExpression composite
                ? List.of(composite.getExpressions())
                : List.of(whole);
        MethodText made = new MethodText(what, resolved, parts, beans);
        parts.forEach(part -> made.requireParameters(part, method));
        return made;
    }

    /** An unknown variable has no value in an expression, and is no error there. */
    private void requireParameters(Expression part, Method method) {
        if (!(part instanceof SpelExpression expression)) {
            return;
        }
        Set<String> known = new TreeSet<>(Set.of("this", "root"));
        String[] names = PARAMETER_NAMES.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            known.addAll(List.of("a" + i, "p" + i));
            if (names != null) {
                known.add(names[i]);
            }
        }
        for (String variable : variables(expression.getAST(), new ArrayList<>())) {
            if (!known.contains(variable)) {
                throw new LeaseSetupException(
                        "its " + what + " \"" + text + "\" uses #" + variable
                                + ", and the method has no parameter of that name"
                                + (names == null ? " (it was compiled without names of parameters)" : ""),
                        "Correct the name, or use #p0 for the first parameter. Names of parameters need the compiler's option"
                                + " -parameters.");
            }
        }
    }

    private static List<String> variables(SpelNode node, List<String> found) {
        if (node instanceof VariableReference) {
            found.add(node.toStringAST().substring(1));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            variables(node.getChild(i), found);
        }
        return found;
    }

    static String resolve(String text, ConfigurableBeanFactory beans) {
        String resolved = text.contains("${") ? beans.resolveEmbeddedValue(text) : text;
        return resolved == null ? "" : resolved;
    }

    /** Whether every call has the same text. */
    boolean isConstant() {
        return parts.isEmpty();
    }

    /**
     * The text for one call.
     *
     * @throws IllegalArgumentException if an expression fails or has no value. Calls with different arguments would
     *     otherwise share the text "null", and be skipped on account of each other
     */
    String evaluate(Object target, Method method, @Nullable Object[] arguments) {
        if (parts.isEmpty()) {
            return text;
        }
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(target, method, arguments, PARAMETER_NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        StringBuilder value = new StringBuilder();
        for (Expression part : parts) {
            value.append(valueOf(part, context, method));
        }
        return value.toString();
    }

    private String valueOf(Expression part, MethodBasedEvaluationContext context, Method method) {
        String value;
        try {
            value = part.getValue(context, String.class);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(refusal(part, method) + "failed: " + e.getMessage(), e);
        }
        if (value == null) {
            throw new IllegalArgumentException(refusal(part, method) + "is null");
        }
        return value;
    }

    private String refusal(Expression part, Method method) {
        return "@Leased on " + method.getDeclaringClass().getName() + "." + method.getName() + " did not run: in its "
                + what + " \"" + text + "\", the value of " + part.getExpressionString() + " ";
    }

    @Override
    public String toString() {
        return text;
    }
}
