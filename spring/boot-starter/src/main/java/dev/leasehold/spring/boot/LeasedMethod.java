package dev.leasehold.spring.boot;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spring.BusyHandler;
import dev.leasehold.spring.OnBusy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;

/**
 * A leased method with everything that was resolved once.
 *
 * @param key null if the method is not keyed
 * @param propagation the propagation of the method's own transaction, null if it has none
 */
record LeasedMethod(
        Method method,
        MethodText name,
        @Nullable MethodText key,
        LeaseTerms terms,
        OnBusy onBusy,
        @Nullable Duration waitFor,
        @Nullable BusyHandler busyHandler,
        @Nullable Integer propagation) {

    LeaseName name(Object target, @Nullable Object[] arguments) {
        return LeaseName.of(name.evaluate(target, method, arguments));
    }

    /** Whether the method runs in a transaction that begins for it or that it joins. */
    boolean isTransactional() {
        return propagation != null
                && propagation != TransactionDefinition.PROPAGATION_NOT_SUPPORTED
                && propagation != TransactionDefinition.PROPAGATION_NEVER;
    }

    boolean joinsTransactionOfCaller() {
        return propagation == null || propagation != TransactionDefinition.PROPAGATION_REQUIRES_NEW;
    }

    /** What a caller gets if the method does not run. */
    @Nullable
    Object nothing() {
        return method.getReturnType() == Optional.class ? Optional.empty() : null;
    }

    @Override
    public String toString() {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}
