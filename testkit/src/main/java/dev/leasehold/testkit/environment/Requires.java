package dev.leasehold.testkit.environment;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Names the programs and libraries that a test needs. Where one is missing, the test is left out
 * and listed in {@code target/left-out}; with {@code CI=true} in the environment it fails instead,
 * so that a continuous build cannot lose tests unnoticed.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(RequiresCondition.class)
public @interface Requires {
    /** Programs to be found on the PATH, or {@code libfaketime}. */
    String[] value();
}
