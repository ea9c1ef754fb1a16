package dev.leasehold.spring.boot;

import dev.leasehold.spring.Leased;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/** An annotation of an application that is made of others. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Leased(ttl = "45s")
@interface Nightly {
    @AliasFor(annotation = Leased.class, attribute = "name")
    String value();
}
