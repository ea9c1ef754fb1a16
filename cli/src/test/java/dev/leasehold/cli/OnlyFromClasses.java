package dev.leasehold.cli;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * A test that needs the classes of this build. It is left out where the tests try an installed
 * program ({@code -Dleasehold.program}); all others that use {@link CliRunner} try that one.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@DisabledIfSystemProperty(
        named = "leasehold.program",
        matches = ".+",
        disabledReason = "an installed program is tried, and this test needs the classes of the build")
public @interface OnlyFromClasses {
    /** What an installed program cannot do. */
    String value();
}
