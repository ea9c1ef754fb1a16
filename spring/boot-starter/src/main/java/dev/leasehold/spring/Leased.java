package dev.leasehold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a Spring bean under a lease: at most one machine at a time, renewed while the
 * method runs, and interrupted when the lease is lost. Transactions that begin inside cannot commit
 * after another machine got the lease.
 *
 * <pre>
 * &#64;Scheduled(cron = "0 0 6 * * *")
 * &#64;Leased("daily-report")
 * &#64;Transactional
 * public void report() { ... }
 * </pre>
 *
 * <p>All texts may contain <code>${...}</code>. Name and key may contain expressions such as
 * <code>#{#order.id}</code> or <code>#{&#64;clock.today()}</code>, with the parameters of the method and
 * the beans of the application. What is not set comes from {@link LeaseDefaults} of the class, then
 * from {@code leasehold.defaults.*}.
 *
 * <p>The annotation may be put on an annotation of your own, with {@code @AliasFor}. A method that is
 * called inside a method with the same lease name runs under the same lease. A parameter of type
 * {@code Lease} for which the caller passes null gets the lease.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Leased {
    /** The name of the lease. */
    @AliasFor("name")
    String value() default "";

    /** The name of the lease. */
    @AliasFor("value")
    String name() default "";

    /** How long the lease lasts without renewal, such as {@code 90s}; it is renewed every third of it. */
    String ttl() default "";

    /** What to do if another machine has the lease. */
    OnBusy onBusy() default OnBusy.INHERITED;

    /** How long {@link OnBusy#WAIT} waits. */
    String waitFor() default "";

    /** The name of the {@link BusyHandler} bean for {@link OnBusy#HANDLE}. */
    String busyHandler() default "";

    /**
     * Does the work of each key once. A key that is done is not done again; the method is skipped. If
     * the method is transactional in the database of the leases, the key is completed in the same
     * transaction.
     */
    String key() default "";

    /** How long the method may go without {@code CurrentLease.get().progress()} before it is stopped. */
    String progressWithin() default "";

    /** How long the name stays taken even if the method ends sooner, such as {@code 30s}. */
    String minHold() default "";
}
