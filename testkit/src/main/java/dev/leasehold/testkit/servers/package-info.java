/** Real servers for the tests of Leasehold itself, each in a process of its own on a free loopback port. */
@NullMarked
package dev.leasehold.testkit.servers;

import org.jspecify.annotations.NullMarked;
