package dev.leasehold.bench;

import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** An application with both annotations, on one pool. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableTransactionManagement
@EnableSchedulerLock(defaultLockAtMostFor = "90s")
@Import(SpringBenchJobs.class)
class SpringBenchApplication {
    @Bean
    JdbcTemplate benchJdbcTemplate(DataSource pool) {
        return new JdbcTemplate(pool);
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource pool) {
        return new JdbcTransactionManager(pool);
    }

    /** As ShedLock's documentation configures it. */
    @Bean
    LockProvider lockProvider(JdbcTemplate jdbc) {
        return new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(jdbc)
                .usingDbTime()
                .build());
    }
}
