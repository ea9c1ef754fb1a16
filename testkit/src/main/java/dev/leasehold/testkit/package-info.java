/**
 * What authors of stores and fences need to know that theirs is right, and what users need to test their own jobs without
 * waiting.
 *
 * <p><strong>Contracts.</strong> Extend {@link dev.leasehold.testkit.LeaseStoreContract}, {@link
 * dev.leasehold.testkit.CasRegisterContract} or {@link dev.leasehold.testkit.FenceContract}, say how the thing under test is
 * opened, and run the class with JUnit. Every test is named after the accident it prevents. A store is done when it passes
 * against the real server:
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
 * <p><strong>Time and chance by hand.</strong> {@link dev.leasehold.testkit.ManualContext} runs the very engine that
 * production runs, in time that moves only when the test says so: {@code context.advance(ttl)}.
 *
 * <p><strong>Faults.</strong> {@link dev.leasehold.testkit.FaultyLeaseStore} loses, delays and repeats what is sent to any
 * store: {@code faulty.dropReplyOnce()}. {@link dev.leasehold.testkit.UnreliableLink} does so to any server on the network, and
 * {@link dev.leasehold.testkit.nemesis.NemesisContract} to whole processes.
 */
@NullMarked
package dev.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
