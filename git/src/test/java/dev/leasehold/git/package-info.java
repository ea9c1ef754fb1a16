/** Tests of the git fence, on real repositories and real servers. */
package dev.leasehold.git;
