/**
 * Runs one command so that it cannot outlive the lease it runs under.
 *
 * <p>The wrapper (this JVM) may be killed or frozen at any moment, and Java can neither open a session nor signal a
 * process group. So the command is started by a <em>guard</em>, a bash script in a session of its own, which knows the
 * deadline and hears of every extension through a FIFO:
 *
 * <pre>
 * wrapper (JVM) ── spawns ──▶ guard (bash) ── forks ──▶ watcher (bash): reads the FIFO, keeps the time, signals
 *      │                          └───────── forks ──▶ command: own session and process group
 *      └── writes "until 123456", "signal INT", "stop" into the FIFO
 * </pre>
 *
 * <p>Three parties can end the command, and each notices when another is missing. The watcher sends TERM one grace
 * before the deadline and KILL just before it, and at once when the wrapper or the guard is gone. The guard does not
 * exit before everything in the command's session is dead. The wrapper ends the session itself at the deadline, should
 * guard and watcher be killed or frozen, and does not report an end while a member lives.
 *
 * <p>Deadlines are absolute, on a clock that both sides read and that goes on while the machine sleeps: an order that
 * is delivered late never gives time away.
 *
 * <p>What this does <em>not</em> do: find a process that opened a session of its own (a daemon), signal one that became
 * another user's ({@code sudo}), or act when the wrapper, the guard and the watcher are all killed or all frozen.
 * What such a process still writes is refused by the fence.
 */
@NullMarked
package dev.leasehold.cli.child;

import org.jspecify.annotations.NullMarked;
