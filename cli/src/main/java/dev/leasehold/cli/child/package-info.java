/**
 * Runs one command so that it cannot outlive the lease under which it runs.
 *
 * <p>The wrapper (this JVM) may be killed or frozen at any moment, and Java can neither open a
 * session nor signal a process group. So the command is started by a <em>supervisor</em>, a bash
 * script in its own session. It knows the deadline and receives every extension through a FIFO:
 *
 * <pre>
 * wrapper (JVM) ── spawns ──▶ supervisor (bash) ── forks ──▶ watcher (bash): reads the FIFO, keeps the time, signals
 *      │                             └────────── forks ──▶ command: own session and process group
 *      └── writes "until 123456", "signal INT", "stop" into the FIFO
 * </pre>
 *
 * <p>Three parties can end the command, and each notices when another is missing. The watcher sends
 * TERM one grace before the deadline and KILL just before it, and at once if the wrapper or the
 * supervisor is gone. The supervisor does not exit before every process in the command's session is
 * dead. If supervisor and watcher are killed or frozen, the wrapper ends the session itself at the
 * deadline. It never reports an end while a member of the session lives.
 *
 * <p>Deadlines are absolute, on a clock that both sides read and that runs on while the machine
 * sleeps. So an order that arrives late never extends the time.
 *
 * <p>What this does <em>not</em> do: find a process that opened its own session (a daemon), signal
 * a process of another user ({@code sudo}), or act when the wrapper, the supervisor and the watcher
 * are all killed or all frozen. The fence refuses whatever such a process still writes.
 */
@NullMarked
package dev.leasehold.cli.child;

import org.jspecify.annotations.NullMarked;
