/** The engine in virtual time: nothing here sleeps, and an hour passes in a moment. */
package dev.leasehold;
