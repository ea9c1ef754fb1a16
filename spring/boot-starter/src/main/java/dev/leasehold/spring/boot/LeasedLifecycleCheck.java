package dev.leasehold.spring.boot;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * Refuses leased methods that Spring calls when it makes or destroys the bean. It calls them on the bean itself and not on
 * its proxy, so they would run without a lease. Comes first, so that none has run.
 */
final class LeasedLifecycleCheck implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered {
    private static final Set<String> ANNOTATIONS =
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private @Nullable ConfigurableListableBeanFactory beans;

    @Override
    public void setBeanFactory(BeanFactory factory) {
        beans = factory instanceof ConfigurableListableBeanFactory listable ? listable : null;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        Class<?> type = ClassUtils.getUserClass(bean);
        for (Method method : LeasedMethods.in(type)) {
            String caller = caller(method, bean, name);
            if (caller != null) {
                throw new LeaseSetupException(
                        "@Leased is on " + type.getName() + "." + method.getName() + ", which Spring calls as " + caller
                                + " of the bean itself, and not of its proxy. It would run without a lease.",
                        "Move the leased method to another bean, and call it from here; or run it when the application"
                                + " is ready, with @EventListener(ApplicationReadyEvent.class).");
            }
        }
        return bean;
    }

    private @Nullable String caller(Method method, Object bean, String name) {
        for (String annotation : ANNOTATIONS) {
            if (MergedAnnotations.from(method).isPresent(annotation)) {
                return "@" + ClassUtils.getShortName(annotation);
            }
        }
        boolean plain = method.getParameterCount() == 0;
        if (plain && bean instanceof InitializingBean && method.getName().equals("afterPropertiesSet")) {
            return "afterPropertiesSet()";
        }
        if (plain && bean instanceof DisposableBean && method.getName().equals("destroy")) {
            return "destroy()";
        }
        return plain && definedMethods(name).contains(method.getName()) ? "the init or destroy method" : null;
    }

    private List<String> definedMethods(String name) {
        List<String> methods = new ArrayList<>();
        ConfigurableListableBeanFactory factory = beans;
        if (factory != null
                && factory.containsBeanDefinition(name)
                && factory.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition) {
            add(methods, definition.getInitMethodNames());
            add(methods, definition.getDestroyMethodNames());
        }
        return methods;
    }

    private static void add(List<String> to, String @Nullable [] names) {
        if (names != null) {
            to.addAll(List.of(names));
        }
    }
}
