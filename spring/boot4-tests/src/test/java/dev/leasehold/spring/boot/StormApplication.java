package dev.leasehold.spring.boot;

import dev.leasehold.spring.Leased;
import dev.leasehold.spring.tx.StaleLeaseException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;

/**
 * Adds to two accounts under a lease each. The transactions of one are fenced, those of the other are
 * not. Prints a line for every addition that was committed. It runs on Spring Boot 3.5 and 4.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@Import({StormApplication.Accounts.class, StormApplication.Ticks.class})
class StormApplication {
    /** Held for reading by every addition, and for writing at the end. */
    private static final ReentrantReadWriteLock RUNNING = new ReentrantReadWriteLock();

    public static void main(String[] args) throws IOException {
        SpringApplication.run(StormApplication.class, args);
        say("STARTED");
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        RUNNING.writeLock().lock();
        say("ENDED");
        // The process is destroyed by the test; until then it adds nothing.
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    }

    static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    @Bean
    JdbcTransactionManager fenced(DataSource source) {
        return new JdbcTransactionManager(source);
    }

    /** Named in leasehold.fencing.exempt. */
    @Bean
    JdbcTransactionManager unfenced(DataSource source) {
        return new JdbcTransactionManager(source);
    }

    static class Accounts {
        private final JdbcTemplate jdbc;

        Accounts(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Leased(name = "fenced", ttl = "1500ms")
        @Transactional("fenced")
        public Boolean addFenced() {
            return add("fenced");
        }

        @Leased(name = "unfenced", ttl = "1500ms")
        @Transactional("unfenced")
        public Boolean addUnfenced() {
            return add("unfenced");
        }

        /** Reads, computes and writes, as most jobs do. The computation does not listen to interrupts. */
        private Boolean add(String account) {
            Long balance = jdbc.queryForObject("select balance from account where id = ?", Long.class, account);
            long end = System.nanoTime() + 30_000_000L;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            jdbc.update("update account set balance = ? where id = ?", balance + 1, account);
            return true;
        }
    }

    static class Ticks {
        private final Accounts accounts;

        Ticks(Accounts accounts) {
            this.accounts = accounts;
        }

        @Scheduled(fixedDelay = 25)
        void fenced() {
            tick("fenced");
        }

        @Scheduled(fixedDelay = 25)
        void unfenced() {
            tick("unfenced");
        }

        private void tick(String account) {
            if (Thread.currentThread().toString().startsWith("VirtualThread[")) {
                say("VIRTUAL");
            }
            RUNNING.readLock().lock();
            try {
                Boolean added = account.equals("fenced") ? accounts.addFenced() : accounts.addUnfenced();
                if (added != null) {
                    say("ADDED " + account);
                }
            } catch (StaleLeaseException e) {
                say("REFUSED " + e.getMessage());
            } catch (RuntimeException e) {
                say("FAILED " + e);
            } finally {
                RUNNING.readLock().unlock();
            }
        }
    }
}
