/** The auto-configuration for Spring Boot 3.5 and 4. */
@NullMarked
package dev.leasehold.spring.boot;

import org.jspecify.annotations.NullMarked;
