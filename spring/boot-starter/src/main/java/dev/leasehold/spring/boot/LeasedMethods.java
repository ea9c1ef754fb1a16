package dev.leasehold.spring.boot;

import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spring.BusyHandler;
import dev.leasehold.spring.LeaseDefaults;
import dev.leasehold.spring.Leased;
import dev.leasehold.spring.OnBusy;
import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.ClassUtils;

/** Resolves annotations once: the method's, then the defaults of its class, then the configuration. */
final class LeasedMethods {
    private final LeaseholdProperties.Defaults defaults;
    private final ConfigurableBeanFactory beans;
    private final AnnotationTransactionAttributeSource transactions = new AnnotationTransactionAttributeSource(false);
    private final Map<Method, LeasedMethod> known = new ConcurrentHashMap<>();

    LeasedMethods(LeaseholdProperties.Defaults defaults, ConfigurableBeanFactory beans) {
        this.defaults = defaults;
        this.beans = beans;
    }

    static @Nullable Leased find(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, Leased.class);
    }

    /** The leased methods of a class, its superclasses and interfaces. */
    static Set<Method> in(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, Leased.class)
                ? MethodIntrospector.selectMethods(type, (Method method) -> find(method) != null && !method.isBridge())
                : Set.of();
    }

    /** @throws LeaseSetupException if the annotation is wrong */
    LeasedMethod of(Method method, Class<?> type) {
        Method specific = AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(type));
        return known.computeIfAbsent(specific, found -> resolve(found, method, type));
    }

    private LeasedMethod resolve(Method method, Method called, Class<?> type) {
        Leased leased = find(method) != null ? find(method) : find(called);
        if (leased == null) {
            throw new IllegalStateException(method + " is not leased");
        }
        String place = method.getDeclaringClass().getName() + "." + method.getName();
        LeaseDefaults common = AnnotatedElementUtils.findMergedAnnotation(type, LeaseDefaults.class);
        try {
            OnBusy onBusy = onBusy(leased, common);
            TransactionAttribute transaction = transactions.getTransactionAttribute(method, type);
            return new LeasedMethod(
                    method,
                    name(leased, method),
                    leased.key().isEmpty() ? null : MethodText.of("key", leased.key(), method, beans),
                    terms(leased, common),
                    onBusy,
                    duration(leased.waitFor(), common, LeaseDefaults::waitFor, defaults.waitFor()),
                    onBusy == OnBusy.HANDLE ? busyHandler(leased, common) : null,
                    transaction == null ? null : transaction.getPropagationBehavior());
        } catch (LeaseSetupException e) {
            throw new LeaseSetupException("@Leased on " + place + ": " + e.getMessage(), e.action());
        } catch (RuntimeException e) {
            throw new LeaseSetupException(
                    "@Leased on " + place + " cannot be used: " + e.getMessage(), "Correct the annotation.");
        }
    }

    private MethodText name(Leased leased, Method method) {
        if (leased.name().isEmpty()) {
            throw new LeaseSetupException("the lease has no name", "Write @Leased(\"a-name\").");
        }
        MethodText name = MethodText.of("name", leased.name(), method, beans);
        if (name.isConstant()) {
            LeaseName.of(name.toString());
        }
        return name;
    }

    private OnBusy onBusy(Leased leased, @Nullable LeaseDefaults common) {
        OnBusy[] order = {
            leased.onBusy(), common == null ? OnBusy.INHERITED : common.onBusy(), defaults.onBusy(), OnBusy.SKIP
        };
        for (OnBusy each : order) {
            if (each != OnBusy.INHERITED) {
                if (each == OnBusy.WAIT
                        && duration(leased.waitFor(), common, LeaseDefaults::waitFor, defaults.waitFor()) == null) {
                    throw new LeaseSetupException(
                            "it waits while the lease is busy, but not for how long",
                            "Set waitFor, such as @Leased(..., onBusy = OnBusy.WAIT, waitFor = \"30s\").");
                }
                return each;
            }
        }
        return OnBusy.SKIP;
    }

    private LeaseTerms terms(Leased leased, @Nullable LeaseDefaults common) {
        Duration ttl = duration(leased.ttl(), common, LeaseDefaults::ttl, defaults.ttl());
        LeaseTerms terms = LeaseTerms.ofTtl(ttl == null ? LeaseTerms.DEFAULT_TTL : ttl);
        if (defaults.heartbeat() != null) {
            terms = terms.withHeartbeat(defaults.heartbeat());
        }
        Duration within =
                duration(leased.progressWithin(), common, LeaseDefaults::progressWithin, defaults.progressWithin());
        terms = within == null ? terms : terms.withProgressWithin(within);
        Duration minHold = duration(leased.minHold(), common, LeaseDefaults::minHold, defaults.minHold());
        return minHold == null ? terms : terms.withMinHold(minHold);
    }

    private @Nullable Duration duration(
            String own,
            @Nullable LeaseDefaults common,
            Function<LeaseDefaults, String> ofCommon,
            @Nullable Duration configured) {
        String text = own.isEmpty() && common != null ? ofCommon.apply(common) : own;
        String resolved = MethodText.resolve(text, beans).strip();
        if (resolved.isEmpty()) {
            return configured;
        }
        // Both forms are usual in Spring applications.
        try {
            return resolved.startsWith("P") ? Duration.parse(resolved) : DurationText.parse(resolved);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new LeaseSetupException(
                    "\"" + resolved + "\" is no duration (" + e.getMessage() + ")",
                    "Write 90s, 5m or PT90S, for example.");
        }
    }

    private BusyHandler busyHandler(Leased leased, @Nullable LeaseDefaults common) {
        String own = leased.busyHandler().isEmpty() && common != null ? common.busyHandler() : leased.busyHandler();
        String name = own.isEmpty() && defaults.busyHandler() != null ? defaults.busyHandler() : own;
        try {
            return name.isEmpty()
                    ? beans.getBean(BusyHandler.class)
                    : beans.getBean(MethodText.resolve(name, beans), BusyHandler.class);
        } catch (BeansException e) {
            throw new LeaseSetupException(
                    "its BusyHandler cannot be found: " + e.getMessage(),
                    "Define a bean of type BusyHandler, and name it in busyHandler if there are several.");
        }
    }
}
