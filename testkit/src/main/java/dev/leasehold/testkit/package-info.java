/**
 * Contracts with which authors of stores and fences test their code, and manual time with which
 * users test their own jobs without waiting.
 *
 * <p><strong>Contracts.</strong> Extend {@link dev.leasehold.testkit.LeaseStoreContract},
 * {@link dev.leasehold.testkit.CasRegisterContract} or {@link dev.leasehold.testkit.FenceContract},
 * implement how the store or fence is opened, and run the class with JUnit. Every test is named
 * after the accident it prevents. A store is complete when it passes against the real server:
 *
 * <pre>{@code
 * class MyStoreTest extends LeaseStoreContract {
 *     @Override
 *     protected LeaseStore openStore() {
 *         return MyStore.connect(SERVER);
 *     }
 * }
 * }</pre>
 *
 * <p><strong>Manual time and chance.</strong> {@link dev.leasehold.testkit.ManualContext} runs the
 * production engine in time that only the test moves: {@code context.advance(ttl)}.
 *
 * <p><strong>Faults.</strong> {@link dev.leasehold.testkit.FaultyLeaseStore} loses, delays and
 * repeats calls to any store: {@code faulty.dropReplyOnce()}.
 * {@link dev.leasehold.testkit.UnreliableLink} breaks connections to any server, and
 * {@link dev.leasehold.testkit.nemesis.NemesisContract} injects faults into whole processes.
 */
@NullMarked
package dev.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
