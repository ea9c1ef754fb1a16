package dev.leasehold.spring.tx;

import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Fences every transaction manager that is a bean of an application, or that a bean of type {@link
 * TransactionTemplate} has, whoever configures it. One that takes no listener cannot be fenced, and gets
 * a proxy that begins no transaction under a lease.
 */
public final class FencedTransactionManagers implements BeanPostProcessor {
    private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

    private final Supplier<FencedTransactions> fenced;
    private final Set<String> exempt;

    /** Exempt managers, which a template may have as well. */
    private final Set<PlatformTransactionManager> spared =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /**
     * @param fenced asked when the first transaction manager is made
     * @param exempt the names of transaction managers, or of templates that have one of their own, whose
     *     transactions are not fenced
     */
    public FencedTransactionManagers(Supplier<FencedTransactions> fenced, Set<String> exempt) {
        this.fenced = fenced;
        this.exempt = Set.copyOf(exempt);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof TransactionTemplate template) {
            fenceManagerOf(template, name);
            return bean;
        }
        if (!(bean instanceof PlatformTransactionManager plain)) {
            return bean;
        }
        if (exempt.contains(name)) {
            spared.add(plain);
            return bean;
        }
        if (bean instanceof ConfigurableTransactionManager manager) {
            fenced.get().attachTo(manager, name);
            return bean;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                unfenced(bean, name) + "; they are refused under a lease. " + advice(name));
        return refusingUnderALease(bean, name);
    }

    /** Does nothing if the manager is a bean, which was fenced when it was made. */
    private void fenceManagerOf(TransactionTemplate template, String name) {
        if (template.getTransactionManager() instanceof ConfigurableTransactionManager manager
                && !exempt.contains(name)
                && !spared.contains(template.getTransactionManager())) {
            fenced.get().attachTo(manager, name);
        }
    }

    private static Object refusingUnderALease(Object bean, String name) {
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
        proxy.addAdvice((MethodBeforeAdvice) (method, arguments, target) -> {
            if (method.getName().equals("getTransaction")
                    && !LeaseScope.current().isEmpty()) {
                throw new IllegalStateException(unfenced(bean, name) + ", and this one would run under lease "
                        + LeaseScope.current().get(0).grant().name() + ". " + advice(name));
            }
        });
        return proxy.getProxy(bean.getClass().getClassLoader());
    }

    private static String unfenced(Object bean, String name) {
        return "transactions of '" + name + "' cannot be fenced, because "
                + bean.getClass().getName() + " is no ConfigurableTransactionManager";
    }

    private static String advice(String name) {
        return "Let it extend AbstractPlatformTransactionManager. If it passes its transactions on to managers that are"
                + " fenced, or a stale commit does no harm there, set leasehold.fencing.exempt=" + name;
    }
}
