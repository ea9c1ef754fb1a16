package dev.leasehold.testkit;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGenerator;

/**
 * Names the groups of a contract after the class that inherits them: "RedisLeaseStoreContractTest
 * Races".
 */
final class ContractNames extends DisplayNameGenerator.Standard {
    @Override
    public String generateDisplayNameForNestedClass(List<Class<?>> enclosing, Class<?> nested) {
        return Stream.concat(enclosing.stream(), Stream.of(nested))
                .map(Class::getSimpleName)
                .collect(Collectors.joining(" "));
    }

    @Override
    public String generateDisplayNameForMethod(List<Class<?>> enclosing, Class<?> type, Method method) {
        return method.getName();
    }
}
