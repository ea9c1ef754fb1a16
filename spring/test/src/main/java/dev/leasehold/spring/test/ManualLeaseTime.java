package dev.leasehold.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Keeps the leases of a test in memory, in a time that only the test moves.
 *
 * <pre>
 * &#64;SpringBootTest
 * &#64;ManualLeaseTime
 * class ReportTest {
 *     &#64;Autowired ManualContext time;
 *
 *     &#64;Test
 *     void leaseLapses() {
 *         ...
 *         time.freeze(Duration.ofMinutes(5));
 *     }
 * }
 * </pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Import(ManualTimeConfiguration.class)
public @interface ManualLeaseTime {}
