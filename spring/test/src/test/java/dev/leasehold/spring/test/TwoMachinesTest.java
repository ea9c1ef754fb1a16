package dev.leasehold.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.spring.Leased;
import dev.leasehold.spring.tx.LeaseAssert;
import dev.leasehold.testkit.ManualContext;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** What a test of an application sees. */
@SpringBootTest(properties = {"spring.datasource.url=jdbc:h2:mem:two-machines", "spring.main.banner-mode=off"})
@ManualLeaseTime
@ExtendWith(TwoMachinesExtension.class)
class TwoMachinesTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Reports.class)
    static class Application {}

    static class Reports {
        private final JdbcTemplate jdbc;

        Reports(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Leased("report")
        @Transactional
        public void report() {
            LeaseAssert.assertLeased("report");
            jdbc.update("insert into report values (1)");
        }

        @Leased("report")
        public void reportWithoutTransaction() {
            jdbc.update("insert into report values (1)");
        }

        public void notLeased() {}
    }

    @Autowired
    private Reports reports;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private Leases leases;

    @Autowired
    private ManualContext time;

    @BeforeEach
    void emptyTable() {
        jdbc.execute("drop table if exists report");
        jdbc.execute("create table report (n int)");
    }

    private int rows() {
        Integer count = jdbc.queryForObject("select count(*) from report", Integer.class);
        return count == null ? -1 : count;
    }

    @Test
    void staleTransactionIsRefusedWhereverTheMachineFroze(TwoMachines machines) {
        for (Freeze where : Freeze.values()) {
            emptyTable();
            assertThat(machines.run(where, reports::report).assertRefused())
                    .as(where.name())
                    .hasMessageContaining("report is stale");
            assertThat(rows()).as("of the second machine alone").isEqualTo(1);
        }
    }

    @Test
    void methodWithoutATransactionIsFoundOut(TwoMachines machines) {
        TwoMachines.Outcome outcome = machines.run(Freeze.AFTER_ACQUIRE, reports::reportWithoutTransaction);
        assertThat(rows()).isEqualTo(2);
        assertThatThrownBy(outcome::assertRefused)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("not fenced");
    }

    @Test
    void methodThatIsNotLeasedIsFoundOut(TwoMachines machines) {
        assertThatThrownBy(() -> machines.run(Freeze.AFTER_ACQUIRE, reports::notLeased))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("is it @Leased");
    }

    @Test
    void timeOfTheLeasesMovesOnlyByHand() {
        try (Lease lease = leases.tryAcquire("by-hand").lease().orElseThrow()) {
            time.advance(Duration.ofMinutes(10));
            assertThat(lease.isTrusted()).as("renewed").isTrue();
            time.freeze(Duration.ofMinutes(10));
            assertThat(lease.isTrusted()).isFalse();
        }
    }
}
