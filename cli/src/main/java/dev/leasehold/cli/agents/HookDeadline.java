package dev.leasehold.cli.agents;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends the process if the hook takes too long. Agents permit a tool call whose hook does not answer in
 * time, so the hook has to answer before that.
 */
final class HookDeadline implements AutoCloseable {
    private static final int BLOCK = 2;
    private static final long SECONDS = 40;

    private final CountDownLatch ended = new CountDownLatch(1);

    static HookDeadline start(PrintStream err, boolean advise) {
        HookDeadline deadline = new HookDeadline();
        Thread thread = new Thread(() -> deadline.await(err, advise), "leasehold-hook-deadline");
        thread.setDaemon(true);
        thread.start();
        return deadline;
    }

    private void await(PrintStream err, boolean advise) {
        try {
            if (!ended.await(SECONDS, TimeUnit.SECONDS)) {
                err.println("leasehold: agent-hook had no answer from the store or the disk after " + SECONDS + " s"
                        + (advise ? "" : ", so the tool call is blocked. Try again, or ask the user"));
                err.flush();
                Runtime.getRuntime().halt(advise ? 0 : BLOCK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        ended.countDown();
    }
}
