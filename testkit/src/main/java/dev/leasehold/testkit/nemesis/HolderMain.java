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
import dev.leasehold.testkit.nemesis.HolderReport.Kind;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A holder process: it acquires the lease, raises the fence, reads the target, waits, adds a line
 * and writes the whole content back. It does not check its lease before it writes: the target
 * checks the token. It ends when its input ends, so that it does not outlive the test.
 */
final class HolderMain {
    static final LeaseName NAME = LeaseName.of("contested");
    static final Duration TTL = Duration.ofMillis(1500);
    static final String FENCED = "fenced";
    static final String PLAIN = "plain";

    private final ContestedTarget target;
    private final String me;
    private final boolean fenced;
    private final Random random;
    private int writes;
    private static volatile boolean over;

    private HolderMain(ContestedTarget target, String me, boolean fenced) {
        this.target = target;
        this.me = me;
        this.fenced = fenced;
        this.random = new Random(me.hashCode());
    }

    /**
     * Arguments: the subclass of {@link NemesisContract}, an address for it, fenced or plain, and
     * the name of this process.
     */
    @SuppressWarnings("CatchingUnchecked")
    public static void main(String[] args) {
        Thread watch = new Thread(HolderMain::awaitEndOfInput, "end of input");
        watch.setDaemon(true);
        watch.start();
        int code = 0;
        try (ContestedTarget target = open(args[0], args[1])) {
            HolderMain holder = new HolderMain(target, args[3], args[2].equals(FENCED));
            holder.compete();
        } catch (Exception e) {
            report(Kind.FAILED, 0, e + " at " + List.of(e.getStackTrace()), 0);
            code = 1;
        }
        System.exit(code);
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // The test sends no input.
            }
        } catch (IOException e) {
            // The test has ended.
        }
        over = true;
    }

    /** The server may be down or unreachable when the process starts. */
    private static ContestedTarget open(String contract, String address) throws Exception {
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
        try (Leases leases = Leases.over(target.store())
                .holder(Holder.of(me))
                .terms(LeaseTerms.ofTtl(TTL))
                .build()) {
            while (!over) {
                long began = System.nanoTime();
                try {
                    Optional<Lease> acquired = leases.tryAcquire(NAME.value()).lease();
                    if (acquired.isPresent()) {
                        try (Lease lease = acquired.get()) {
                            report(Kind.GRANTED, lease.grant().token().value(), "-", began);
                            work(lease);
                        }
                    } else {
                        report(Kind.WAITING, 0, "-", began);
                    }
                } catch (StoreUnavailableException | TargetUnavailableException e) {
                    report(Kind.WAITING, 0, e.getClass().getSimpleName(), began);
                }
                Thread.sleep(40 + random.nextInt(100));
            }
        }
    }

    private void work(Lease lease) throws InterruptedException {
        Grant grant = lease.grant();
        long began = System.nanoTime();
        if (fenced && outcome(target.raise(grant)) == Kind.STALE) {
            report(Kind.LATE, grant.token().value(), "-", began);
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
     * Returns false if this grant must not be used again. That is so after a write with an unknown
     * outcome: the write may still be under way and would be admitted after the next one with the
     * same token. After the raise of a new grant, the target refuses it.
     */
    private boolean rewrite(Grant grant) throws InterruptedException {
        long token = grant.token().value();
        String before = target.read();
        report(Kind.READ, token, "-", System.nanoTime());
        Thread.sleep(random.nextInt(6) == 0 ? 400 : 40 + random.nextInt(80));
        String id = me + "-" + writes++;
        String after = before + before.lines().count() + " " + token + " " + id + "\n";
        long began = System.nanoTime();
        report(Kind.WRITING, token, id, began);
        try {
            Kind outcome = write(grant, after);
            report(outcome, token, id, began);
            return outcome == Kind.WROTE;
        } catch (TargetUnavailableException e) {
            report(Kind.UNKNOWN, token, id, began);
            return false;
        }
    }

    private Kind write(Grant grant, String after) {
        if (!fenced) {
            target.overwrite(after);
            return Kind.WROTE;
        }
        return outcome(target.admit(grant, after));
    }

    private static Kind outcome(Admission answer) {
        if (answer instanceof Admission.Admitted) {
            return Kind.WROTE;
        }
        if (answer instanceof Admission.Stale) {
            return Kind.STALE;
        }
        throw new IllegalStateException("no fault explains " + answer);
    }

    /**
     * Writes each line immediately, so that the test gets it even if this process dies right after.
     */
    private static void report(Kind kind, long token, String id, long began) {
        String line = new HolderReport(kind, token, id, began, System.nanoTime(), System.currentTimeMillis()).line();
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }
}
