/**
 * The boundary between coding agents that edit the same files.
 *
 * <p>An agent calls the hook before and after each tool call. {@link dev.leasehold.agents.AgentDialect}
 * turns the agent's JSON into a {@link dev.leasehold.agents.HookEvent}, {@link
 * dev.leasehold.agents.AgentHook} decides, and the dialect turns the {@link
 * dev.leasehold.agents.HookVerdict} into the answer that the agent understands.
 *
 * <h2>The model</h2>
 *
 * Three things protect a file:
 *
 * <ul>
 *   <li><b>The lease</b>, in the store: one per file, owned by a session. It decides who may edit.
 *   <li><b>What an agent has seen</b>, in the session's record: the hash of the content when the
 *       agent read the file, or after its own edit. It decides whether an edit builds on the content
 *       that is there.
 *   <li><b>The permit</b>, in the session's record: an edit that was permitted and has not been
 *       reported as finished. It keeps two agents of one session, which share the lease, apart.
 * </ul>
 *
 * For one agent and one file:
 *
 * <pre>
 *   state       event          condition                                      next state
 *   unseen      read           (hash taken before the tool reads)             reading
 *   reading     read ended                                                    seen(hash)
 *   unseen      edit           the file exists                                unseen, denied
 *   seen(h)     edit           lease of another session                       seen(h), denied
 *   seen(h)     edit           lease was taken over from this session         unseen, denied
 *   seen(h)     edit           permit of another agent of this session        seen(h), denied
 *   seen(h)     edit           lease granted, then content is not h           unseen, denied
 *   seen(h)     edit           lease granted, then content is h               permitted(token)
 *   permitted   edit ended     token still current, the edit is in the file   seen(new hash)
 *   permitted   edit ended     otherwise                                      unseen, told
 *   permitted   edit failed                                                   seen(h)
 *   any         stop                                                          unchanged; lease released
 * </pre>
 *
 * <h2>Why the order matters</h2>
 *
 * <ul>
 *   <li>The hash of a read is taken <em>before</em> the tool reads. A change in between makes the
 *       hash too old, and the edit is denied. Taken afterwards, it would cover a change that the
 *       agent has not seen.
 *   <li>At an edit the lease is acquired <em>first</em> and the content is hashed <em>second</em>.
 *       The other way round, another session could edit between the two.
 *   <li>The store is asked at every edit, also about a lease that this session holds, so that a
 *       takeover is noticed.
 *   <li>The agent writes the file itself, after the hook has answered. The hook cannot make that write
 *       one step with its decision: an agent that is frozen (or waits for a person's permission)
 *       between permission and write for longer than the lease lasts can still overwrite the edit of
 *       its successor. So the hook looks again after each edit. An edit is acknowledged only if its
 *       token was current all the time and the edit is in the file. Each acknowledged version is kept
 *       as a copy, and its hash is recorded with the lease. A late writer is told that it wrote
 *       without the lease, and where the version is that it replaced. So is the next session that
 *       acquires the lease, in case the late writer died before it could be told.
 *   <li>Nothing waits for a lease, and the leases of one patch are acquired in the order of their
 *       names, all or none. So there is no deadlock.
 * </ul>
 *
 * <p>What holds for every interleaving of reads, edits, freezes and takeovers of hooked agents, and
 * is checked by {@code InterleavingTest}: an acknowledged edit is in the file, or an agent was told
 * where the version with it is kept.
 */
@NullMarked
package dev.leasehold.agents;

import org.jspecify.annotations.NullMarked;
