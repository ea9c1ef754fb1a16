package dev.leasehold.testkit.sim;

import dev.leasehold.Leases;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobFailedException;
import dev.leasehold.jobs.JobListener;
import dev.leasehold.jobs.JobRun;
import dev.leasehold.jobs.Jobs;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;

/** A machine that runs a scheduled job together with others. When it dies another one starts. */
final class JobMachine {
    private static final int PARALLEL = 2;

    private final World world;
    private final Slots slots;
    private final String name;
    private final Host host;
    private int lives;

    JobMachine(World world, Slots slots, String name) {
        this.world = world;
        this.slots = slots;
        this.name = name;
        this.host = world.newHost();
    }

    void start() {
        SimulatedProcess process = new SimulatedProcess(name + "." + ++lives, world, host);
        world.time().start(process.toString(), () -> {
            try {
                live(process);
            } catch (Crashed e) {
                if (!process.isDead()) {
                    throw e;
                }
                world.time().after(world.chance().upTo(ttlNanos()), this::start);
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

    /** False if the store did not answer. */
    private boolean startJobs(SimulatedProcess self) {
        try {
            Leases leases = Leases.over(world.openStore(self))
                    .surroundings(self.surroundings())
                    .holder(Holder.of(name))
                    .build();
            Jobs.over(leases)
                    .job(slots.plan().job(run -> work(self, run)))
                    .listener(new Teller(self))
                    .executor(self::start)
                    .parallel(PARALLEL)
                    .start();
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private void work(SimulatedProcess self, JobRun run) throws InterruptedException, JobFailedException {
        world.invariants().trusts(self, run.lease());
        try {
            self.workFor(Duration.ofNanos(world.chance().upTo(2 * ttlNanos())));
            if (world.chance().oneIn(6)) {
                throw new JobFailedException("did not work");
            }
            slots.worked(run.slot());
        } finally {
            world.invariants().forget(run.lease());
        }
    }

    private long ttlNanos() {
        return world.scenario().ttl().toNanos();
    }

    private final class Teller implements JobListener {
        private final SimulatedProcess self;

        Teller(SimulatedProcess self) {
            this.self = self;
        }

        @Override
        public void started(Slot slot, Grant grant, int attempt) {
            world.journal().note(self, "runs " + slot + ", try " + attempt + ", under " + grant);
        }

        @Override
        public void ended(Job job, Outcome outcome) {
            world.journal()
                    .note(
                            self,
                            "gave " + outcome.from() + " to " + outcome.to() + " its outcome: "
                                    + outcome.kind().word() + " " + outcome.reason());
        }

        @Override
        public void again(Slot slot, String why) {
            world.journal().note(self, slot + " is tried again: " + why);
        }

        @Override
        public void trouble(Job job, String what) {
            if (what.startsWith("unexpected")) {
                throw new IllegalStateException(what);
            }
            world.journal().note(self, "cannot look after its job: " + what);
        }
    }
}
