package dev.leasehold.spring.tx;

import java.util.Set;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Fences every transaction manager of an application, whoever configures it. */
public final class FencedTransactionManagers implements BeanPostProcessor {
    private final Supplier<FencedTransactions> fenced;
    private final Set<String> exempt;

    /**
     * @param fenced asked when the first transaction manager is made
     * @param exempt the names of transaction managers whose transactions are not fenced
     */
    public FencedTransactionManagers(Supplier<FencedTransactions> fenced, Set<String> exempt) {
        this.fenced = fenced;
        this.exempt = Set.copyOf(exempt);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof PlatformTransactionManager
                && bean instanceof ConfigurableTransactionManager manager
                && !exempt.contains(name)) {
            fenced.get().attachTo(manager, name);
        }
        return bean;
    }
}
