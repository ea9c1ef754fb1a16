/** Tests of the engine, most of them in virtual time. */
package dev.leasehold;
