package dev.leasehold.crash;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Threads that compete for one lease and, with their grant, read a file, add a line and write the
 * whole content back.
 *
 * @param fenced whether they write through a fence or overwrite the file
 * @param say gets every grant and the outcome of every write
 */
record Storm(FileLeaseStore store, Path file, boolean fenced, Consumer<String> say) {
    static final LeaseName NAME = LeaseName.of("storm");
    static final Duration TTL = Duration.ofMillis(250);
    private static final int THREADS = 3;
    /** Long enough that a frozen process is often between its read and its write. */
    private static final int WORK_MILLIS = 30;

    String run(Duration length) throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> compete(end));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return "done";
    }

    @SuppressWarnings("CatchingUnchecked")
    private void compete(long end) {
        SystemIds ids = new SystemIds();
        while (System.nanoTime() - end < 0) {
            try {
                AttemptId attempt = AttemptId.of(ids.unique());
                if (store.acquire(NAME, attempt, Holder.of("thread"), TTL) instanceof Acquisition.Granted granted) {
                    say.accept("granted " + granted.grant().token());
                    say.accept((work(granted.grant()) ? "wrote " : "refused ")
                            + granted.grant().token());
                    store.release(granted.grant(), Duration.ZERO);
                } else {
                    Thread.sleep(5 + ids.below(20));
                }
            } catch (RuntimeException | IOException | InterruptedException e) {
                say.accept("failed " + e);
                return;
            }
        }
    }

    private boolean work(Grant grant) throws IOException, InterruptedException {
        FencedFile target = FencedFile.at(file);
        if (fenced && !(target.raise(grant) instanceof Admission.Admitted)) {
            return false;
        }
        String after = (Files.exists(file) ? Files.readString(file) : "") + grant.token() + "\n";
        Thread.sleep(WORK_MILLIS);
        if (fenced) {
            return target.admit(grant, Content.of(after)) instanceof Admission.Admitted;
        }
        Actor.overwrite(file, after);
        return true;
    }
}
