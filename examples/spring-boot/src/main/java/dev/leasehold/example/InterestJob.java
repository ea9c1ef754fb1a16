package dev.leasehold.example;

import dev.leasehold.spring.Leased;
import dev.leasehold.spring.tx.CurrentLease;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Reads a balance, computes for a while, and writes the new one: the usual way to lose an update. */
@Component
public class InterestJob {
    private static final Logger LOG = LoggerFactory.getLogger(InterestJob.class);

    private final JdbcTemplate jdbc;
    private final Duration work;

    public InterestJob(JdbcTemplate jdbc, @Value("${example.work:2s}") Duration work) {
        this.jdbc = jdbc;
        this.work = work;
        jdbc.execute("create table if not exists account (id int primary key, balance bigint not null)");
        jdbc.update("insert into account select 1, 0 where not exists (select 1 from account)");
    }

    @Scheduled(fixedDelay = 500)
    @Leased(name = "interest", ttl = "3s")
    @Transactional
    public void addInterest() {
        long balance =
                Objects.requireNonNull(jdbc.queryForObject("select balance from account where id = 1", Long.class));
        LOG.info("token {} read {}, computing", CurrentLease.get().grant().token(), balance);
        compute();
        jdbc.update("update account set balance = ? where id = 1", balance + 1);
        LOG.info("token {} writes {}", CurrentLease.get().grant().token(), balance + 1);
    }

    /** Like most computations, it does not notice that its lease was lost. */
    private void compute() {
        long end = System.nanoTime() + work.toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
