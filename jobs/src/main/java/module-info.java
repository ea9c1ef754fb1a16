/** Schedules: which slots are due, and what becomes of each. */
module dev.leasehold.jobs {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive dev.leasehold.work;
    requires com.cronutils;
    requires org.snakeyaml.engine;

    exports dev.leasehold.jobs;
    exports dev.leasehold.jobs.file;
}
