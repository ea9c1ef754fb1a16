package dev.leasehold.simulator;

import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.internal.SlotCounter;
import dev.leasehold.jobs.EndedAttempt;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobFailedException;
import dev.leasehold.jobs.JobListener;
import dev.leasehold.jobs.JobRun;
import dev.leasehold.jobs.Jobs;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A machine that runs a scheduled job together with others. When it dies or is stopped, another one
 * starts.
 */
final class JobMachine {
    private final SimulatedWorld world;
    private final SlotChecks slots;
    private final String name;
    private final SimulatedHost host;
    private int lives;
    private @Nullable Life current;
    private boolean retired;

    JobMachine(SimulatedWorld world, SlotChecks slots, String name) {
        this.world = world;
        this.slots = slots;
        this.name = name;
        this.host = world.newHost();
    }

    /** One process with its leases and jobs. */
    private record Life(SimulatedProcess process, Leases leases, Jobs jobs) {}

    void start() {
        SimulatedProcess process = new SimulatedProcess(name + "." + ++lives, world, host);
        world.time().start(process.toString(), () -> {
            try {
                live(process);
            } catch (Crashed e) {
                if (!process.isDead()) {
                    throw e;
                }
                if (!retired) {
                    world.time().after(world.random().upTo(ttlNanos()), this::start);
                }
            }
        });
    }

    private void live(SimulatedProcess self) {
        boolean started = false;
        while (true) {
            if (!started) {
                started = startJobs(self);
            }
            self.sleep(Duration.ofNanos(ttlNanos() / 2));
        }
    }

    /** Returns false if the store did not answer, or no thread could be started. */
    private boolean startJobs(SimulatedProcess self) {
        try {
            Leases leases = Leases.over(world.openStore(self))
                    .context(self.context())
                    .holder(Holder.of(name))
                    .listener(new Watcher())
                    .build();
            Jobs jobs = Jobs.over(leases)
                    .job(slots.plan().job(run -> work(self, run)))
                    .listener(new JobEvents(self))
                    .executor(task -> self.start(() -> slots.runs().track(task)))
                    .parallel(slots.plan().parallel())
                    // Nobody starts a job by hand here, and every call is a step that is simulated.
                    .lookForStarts(Duration.ZERO)
                    .start();
            current = new Life(self, leases, jobs);
            return true;
        } catch (StoreUnavailableException | InjectedFailures.NoThread e) {
            return false;
        }
    }

    /** Shuts the machine down cleanly and starts another one. */
    void stop() {
        Life life = current;
        if (life == null || life.process.isDead()) {
            return;
        }
        Duration limit = Duration.ofNanos(world.random().upTo(ttlNanos()));
        world.log().note(life.process, "is shut down within " + FaultInjector.millis(limit.toNanos()));
        world.time().start(life.process + " stop", () -> {
            try {
                life.process.step();
                life.jobs.stop(limit);
                life.leases.close();
            } catch (InterruptedException e) {
                throw new IllegalStateException("this fiber is never interrupted", e);
            }
            world.log().note(life.process, "has stopped");
            life.process.kill();
        });
    }

    /** Shuts the machine down without a replacement. */
    void stopForGood() {
        retired = true;
        stop();
    }

    private void work(SimulatedProcess self, JobRun run) throws InterruptedException, JobFailedException {
        world.invariants().trusts(self, run.lease());
        world.lossNotices().watch(self, run.lease());
        try {
            self.workFor(Duration.ofNanos(world.random().upTo(2 * ttlNanos())));
            if (world.random().oneIn(6)) {
                throw new JobFailedException("failed");
            }
            if (world.faultInjector().happens(SimulatedFault.WORK_THROWS)) {
                throw new InjectedFailures.Fatal();
            }
            slots.worked(run.slot());
        } finally {
            world.lossNotices().forget(run.lease());
            world.invariants().forget(run.lease());
        }
    }

    private long ttlNanos() {
        return world.scenario().ttl().toNanos();
    }

    /** A listener such as metrics have, which may throw. */
    private final class Watcher implements LeaseListener, SlotCounter {
        @Override
        public void slotSkipped(LeaseName name, Instant slot) {
            world.faultInjector().inListener();
        }

        @Override
        public void slotsDropped(LeaseName name, long slots) {
            world.faultInjector().inListener();
        }
    }

    private final class JobEvents implements JobListener {
        private final SimulatedProcess self;

        JobEvents(SimulatedProcess self) {
            this.self = self;
        }

        @Override
        public void started(Slot slot, Grant grant, int attempt) {
            self.requireAlive();
            world.log().note(self, "runs " + slot + ", try " + attempt + ", under " + grant);
            slots.runs().started(self, grant);
            world.faultInjector().inListener();
        }

        @Override
        public void ended(Job job, Outcome outcome) {
            self.requireAlive();
            world.log()
                    .note(
                            self,
                            outcome.from() + " to " + outcome.to() + " has the outcome "
                                    + outcome.kind().word() + " " + outcome.reason());
            world.faultInjector().inListener();
        }

        @Override
        public void again(Slot slot, EndedAttempt ended) {
            self.requireAlive();
            world.log().note(self, slot + " is retried: " + ended.why());
            world.faultInjector().inListener();
        }

        @Override
        public void replaced(Slot slot) {
            self.requireAlive();
            world.faultInjector().inListener();
        }

        @Override
        public void trouble(Job job, String what) {
            self.requireAlive();
            if (what.startsWith("unexpected") && !what.contains(InjectedFailures.class.getName())) {
                world.invariants().violated(Invariant.ONE_OUTCOME, "an engine failed: " + what);
            }
            world.log().note(self, "cannot check its job: " + what);
            world.faultInjector().inListener();
        }
    }
}
