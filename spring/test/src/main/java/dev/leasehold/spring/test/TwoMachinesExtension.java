package dev.leasehold.spring.test;

import dev.leasehold.Leases;
import dev.leasehold.spring.LeaseEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Gives a test a {@link TwoMachines} for the application of the test. */
public final class TwoMachinesExtension implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TwoMachines.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return of(SpringExtension.getApplicationContext(context));
    }

    /** For tests that start their application themselves. */
    public static TwoMachines of(ApplicationContext application) {
        FreezingPoint point = new FreezingPoint();
        ((ConfigurableApplicationContext) application).addApplicationListener(new LeaseEvents(point));
        List<ConfigurableTransactionManager> managers = new ArrayList<>();
        for (PlatformTransactionManager manager :
                application.getBeansOfType(PlatformTransactionManager.class).values()) {
            if (manager instanceof ConfigurableTransactionManager configurable) {
                managers.add(configurable);
            }
        }
        return new TwoMachines(application.getBean(Leases.class), managers, point);
    }

    /** A class and not a lambda, because Spring reads the type of the event from it. */
    private record LeaseEvents(FreezingPoint point) implements ApplicationListener<PayloadApplicationEvent<?>> {
        @Override
        public void onApplicationEvent(PayloadApplicationEvent<?> event) {
            if (event.getPayload() instanceof LeaseEvent lease) {
                point.on(lease);
            }
        }
    }
}
