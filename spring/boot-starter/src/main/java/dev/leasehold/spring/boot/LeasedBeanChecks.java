package dev.leasehold.spring.boot;

import dev.leasehold.spring.OnBusy;
import dev.leasehold.spring.boot.LeaseholdProperties.SelfInvocation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** Finds mistakes with leased methods when the application starts. Without it they would run unleased, or fail at night. */
final class LeasedBeanChecks implements SmartInitializingSingleton {
    private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

    /** What does its work when somebody asks it to. By name, because an application may have none of the libraries. */
    private static final Set<String> LATER = Set.of(
            "org.reactivestreams.Publisher",
            "java.util.concurrent.Flow$Publisher",
            "kotlinx.coroutines.flow.Flow",
            "java.util.stream.BaseStream",
            "java.util.Iterator",
            "java.util.concurrent.Callable",
            "java.util.function.Supplier",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private final ConfigurableListableBeanFactory beans;
    private final LeasedMethods methods;
    private final LeaseholdProperties settings;
    private final List<LeasedMethod> found = new CopyOnWriteArrayList<>();

    LeasedBeanChecks(ConfigurableListableBeanFactory beans, LeasedMethods methods, LeaseholdProperties settings) {
        this.beans = beans;
        this.methods = methods;
        this.settings = settings;
    }

    /** The leased methods of all beans. */
    List<LeasedMethod> methods() {
        return List.copyOf(found);
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null) {
                check(name, ClassUtils.getUserClass(type));
            }
        }
    }

    private void check(String bean, Class<?> type) {
        Set<Method> leased = LeasedMethods.in(type);
        for (Method method : leased) {
            requireInterceptable(method);
            LeasedMethod resolved = methods.of(method, type);
            requireReturn(resolved);
            found.add(resolved);
        }
        if (!leased.isEmpty()) {
            requireProxy(bean, type);
            checkSelfInvocations(type, leased);
        }
    }

    private static void requireInterceptable(Method method) {
        int modifiers = method.getModifiers();
        String what = Modifier.isFinal(modifiers)
                ? "final"
                : Modifier.isPrivate(modifiers) ? "private" : Modifier.isStatic(modifiers) ? "static" : "";
        if (!what.isEmpty()) {
            throw new LeaseSetupException(
                    "@Leased is on " + place(method) + ", which is " + what
                            + ". Spring cannot intercept it, so it would" + " run without a lease.",
                    "Remove '" + what + "' from the method.");
        }
    }

    private static void requireReturn(LeasedMethod leased) {
        Method method = leased.method();
        Class<?> type = method.getReturnType();
        Class<?>[] parameters = method.getParameterTypes();
        boolean suspends = parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
        if (suspends
                || Future.class.isAssignableFrom(type)
                || java.util.concurrent.CompletionStage.class.isAssignableFrom(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null
                || worksLater(type)) {
            throw new LeaseSetupException(
                    "@Leased is on " + place(method) + ", which returns before its work is done ("
                            + type.getSimpleName() + "). The lease would end too early.",
                    "Do the work in the method, and return its result. To run it in the background, call the leased method"
                            + " from a task.");
        }
        boolean maySkip = leased.onBusy() == OnBusy.SKIP || leased.onBusy() == OnBusy.HANDLE || leased.key() != null;
        if (type.isPrimitive() && type != void.class && maySkip) {
            throw new LeaseSetupException(
                    "@Leased is on " + place(method) + ", which returns " + type + ". A call that is skipped has no "
                            + type + " to return.",
                    "Return " + ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName()
                            + " or Optional"
                            + (leased.key() == null ? ", or set onBusy = OnBusy.THROW." : "."));
        }
    }

    private static boolean worksLater(Class<?> type) {
        if (LATER.contains(type.getName())) {
            return true;
        }
        for (Class<?> above : type.getInterfaces()) {
            if (worksLater(above)) {
                return true;
            }
        }
        return type.getSuperclass() != null && worksLater(type.getSuperclass());
    }

    /** A bean that another bean needed while the proxies were not ready yet has none. */
    private void requireProxy(String bean, Class<?> type) {
        Object made = beans.getSingleton(bean);
        if (made != null && !AopUtils.isAopProxy(made)) {
            throw new LeaseSetupException(
                    "The bean '" + bean + "' (" + type.getName()
                            + ") has leased methods, but Spring made no proxy for it:"
                            + " it was created too early, by a BeanPostProcessor for example. They would run without a lease.",
                    "Move the leased methods to a bean of their own.");
        }
    }

    private void checkSelfInvocations(Class<?> type, Set<Method> leased) {
        if (settings.selfInvocation() == SelfInvocation.IGNORE) {
            return;
        }
        List<String> calls = new ArrayList<>(SelfInvocations.in(type, leased));
        if (calls.isEmpty()) {
            return;
        }
        String description = "In " + type.getName() + ", " + String.join(", ", calls)
                + ". A call within the class does not pass through Spring, so it runs without a lease.";
        if (settings.selfInvocation() == SelfInvocation.WARN) {
            LOG.log(System.Logger.Level.WARNING, description);
            return;
        }
        throw new LeaseSetupException(
                description,
                "Move the leased method to another bean, or call it through an injected reference to this bean. If the call"
                        + " is meant to run without a lease, set leasehold.self-invocation=warn.");
    }

    private static String place(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}
