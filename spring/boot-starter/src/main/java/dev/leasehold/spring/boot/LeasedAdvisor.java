package dev.leasehold.spring.boot;

import dev.leasehold.spring.Leased;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;

/** Puts the interceptor around leased methods, outside of their transaction. */
final class LeasedAdvisor extends StaticMethodMatcherPointcutAdvisor {
    private static final long serialVersionUID = 1L;

    /** Transactions have the lowest precedence. The order is acquire, begin, commit, release. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    /** @param interceptor asked at the first call, so that an advisor does not create half the application early */
    LeasedAdvisor(Supplier<LeasedInterceptor> interceptor) {
        setAdvice(new Later(interceptor));
        setOrder(ORDER);
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Leased.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return LeasedMethods.find(method) != null;
    }

    private record Later(Supplier<LeasedInterceptor> interceptor) implements MethodInterceptor {
        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            return interceptor.get().invoke(invocation);
        }
    }
}
