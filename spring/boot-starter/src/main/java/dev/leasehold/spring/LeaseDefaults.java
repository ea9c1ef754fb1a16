package dev.leasehold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the {@link Leased} methods of a class have in common. It makes no method leased by itself. */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface LeaseDefaults {
    /** See {@link Leased#ttl()}. */
    String ttl() default "";

    /** See {@link Leased#onBusy()}. */
    OnBusy onBusy() default OnBusy.INHERITED;

    /** See {@link Leased#waitFor()}. */
    String waitFor() default "";

    /** See {@link Leased#busyHandler()}. */
    String busyHandler() default "";

    /** See {@link Leased#progressWithin()}. */
    String progressWithin() default "";

    /** See {@link Leased#minHold()}. */
    String minHold() default "";
}
