package dev.leasehold.testkit.nemesis;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.testkit.nemesis.Said.Word;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A holder process: acquires the lease, raises the fence, reads the target, thinks, adds a line and writes the whole of it
 * back. It never asks itself whether its lease still counts before it writes; that is the target's business here. Ends when its
 * input does, so that it does not outlive the test.
 */
final class HolderMain {
    static final LeaseName NAME = LeaseName.of("contested");
    static final Duration TTL = Duration.ofMillis(1500);
    static final String FENCED = "fenced";
    static final String PLAIN = "plain";

    private final Contested contested;
    private final String me;
    private final boolean fenced;
    private final Random random;
    private int writes;
    private static volatile boolean over;

    private HolderMain(Contested contested, String me, boolean fenced) {
        this.contested = contested;
        this.me = me;
        this.fenced = fenced;
        this.random = new Random(me.hashCode());
    }

    /** Arguments: the subclass of {@link NemesisContract}, an address that it knows, fenced or plain, the process's own name. */
    @SuppressWarnings("CatchingUnchecked")
    public static void main(String[] args) {
        Thread watch = new Thread(HolderMain::awaitEndOfInput, "end of input");
        watch.setDaemon(true);
        watch.start();
        int code = 0;
        try (Contested contested = open(args[0], args[1])) {
            HolderMain holder = new HolderMain(contested, args[3], args[2].equals(FENCED));
            holder.compete();
        } catch (Exception e) {
            say(Word.FAILED, 0, e + " at " + List.of(e.getStackTrace()), 0);
            code = 1;
        }
        System.exit(code);
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said to a holder.
            }
        } catch (IOException e) {
            // The test is gone.
        }
        over = true;
    }

    /** The server may be down, or the connection cut, when the process starts. */
    private static Contested open(String contract, String address) throws Exception {
        Constructor<?> constructor = Class.forName(contract).getDeclaredConstructor();
        constructor.setAccessible(true);
        NemesisContract opener = (NemesisContract) constructor.newInstance();
        while (true) {
            try {
                return opener.open(address);
            } catch (StoreUnavailableException | TargetUnavailableException e) {
                if (over) {
                    System.exit(0);
                }
                Thread.sleep(200);
            }
        }
    }

    private void compete() throws InterruptedException {
        try (Leases leases = Leases.over(contested.store())
                .holder(Holder.of(me))
                .terms(LeaseTerms.ofTtl(TTL))
                .build()) {
            while (!over) {
                long began = System.nanoTime();
                try {
                    Optional<Lease> acquired = leases.tryAcquire(NAME.value()).lease();
                    if (acquired.isPresent()) {
                        try (Lease lease = acquired.get()) {
                            say(Word.GRANTED, lease.grant().token().value(), "-", began);
                            work(lease);
                        }
                    } else {
                        say(Word.WAITING, 0, "-", began);
                    }
                } catch (StoreUnavailableException | TargetUnavailableException e) {
                    say(Word.WAITING, 0, e.getClass().getSimpleName(), began);
                }
                Thread.sleep(40 + random.nextInt(100));
            }
        }
    }

    private void work(Lease lease) throws InterruptedException {
        Grant grant = lease.grant();
        long began = System.nanoTime();
        if (fenced && outcome(contested.raise(grant)) == Word.STALE) {
            say(Word.LATE, grant.token().value(), "-", began);
            return;
        }
        int rounds = 1 + random.nextInt(4);
        for (int i = 0; i < rounds && !over && lease.isTrusted(); i++) {
            if (!rewrite(grant)) {
                return;
            }
        }
    }

    /**
     * False if this grant must not be used again. After a write of unknown fate that is so: it may still be under way, and
     * would be let in after the next one of the same token. A new grant's raise shuts it out.
     */
    private boolean rewrite(Grant grant) throws InterruptedException {
        long token = grant.token().value();
        String before = contested.read();
        say(Word.READ, token, "-", System.nanoTime());
        Thread.sleep(random.nextInt(6) == 0 ? 400 : 40 + random.nextInt(80));
        String id = me + "-" + writes++;
        String after = before + before.lines().count() + " " + token + " " + id + "\n";
        long began = System.nanoTime();
        say(Word.WRITING, token, id, began);
        try {
            Word outcome = write(grant, after);
            say(outcome, token, id, began);
            return outcome == Word.WROTE;
        } catch (TargetUnavailableException e) {
            say(Word.UNKNOWN, token, id, began);
            return false;
        }
    }

    private Word write(Grant grant, String after) {
        if (!fenced) {
            contested.overwrite(after);
            return Word.WROTE;
        }
        return outcome(contested.admit(grant, after));
    }

    private static Word outcome(Admission answer) {
        if (answer instanceof Admission.Admitted) {
            return Word.WROTE;
        }
        if (answer instanceof Admission.Stale) {
            return Word.STALE;
        }
        throw new IllegalStateException("no fault explains " + answer);
    }

    /** One write a line, straight away: what was said is heard even if this process dies right after. */
    private static void say(Word word, long token, String id, long began) {
        String line = new Said(word, token, id, began, System.nanoTime(), System.currentTimeMillis()).line();
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }
}
