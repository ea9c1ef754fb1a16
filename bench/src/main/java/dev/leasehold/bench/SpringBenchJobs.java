package dev.leasehold.bench;

import dev.leasehold.spring.Leased;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** The methods that are measured. Both annotations take the name of the lock from the parameter. */
class SpringBenchJobs {
    private final JdbcTemplate jdbc;

    SpringBenchJobs(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Leased("#{#name}")
    public void leased(String name) {}

    @SchedulerLock(name = "#{#name}")
    public void locked(String name) {}

    @Leased("#{#name}")
    @Transactional
    public void leasedUpdate(String name) {
        write();
    }

    @SchedulerLock(name = "#{#name}")
    @Transactional
    public void lockedUpdate(String name) {
        write();
    }

    @Transactional
    public void update() {
        write();
    }

    private void write() {
        jdbc.update("update plain_row set n = n + 1 where id = 1");
    }
}
