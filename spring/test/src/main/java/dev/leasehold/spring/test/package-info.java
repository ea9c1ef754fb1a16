/** For tests of Spring applications: leases in manual time, and a method on two machines. */
@NullMarked
package dev.leasehold.spring.test;

import org.jspecify.annotations.NullMarked;
