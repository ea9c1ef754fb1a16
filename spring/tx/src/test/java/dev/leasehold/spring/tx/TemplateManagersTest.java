package dev.leasehold.spring.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Templates as beans: with a transaction manager that is a bean, and with one that nobody else has. */
class TemplateManagersTest {
    @RegisterExtension
    static final FencedDatabase DATABASE = FencedDatabase.SHARED;

    private final String name = FencedDatabase.newName();
    private final String account = name;

    @Configuration(proxyBeanMethods = false)
    static class Templates {
        @Bean
        JdbcTransactionManager manager() {
            return new JdbcTransactionManager(DATABASE.pool);
        }

        @Bean
        JdbcTransactionManager exemptManager() {
            return new JdbcTransactionManager(DATABASE.pool);
        }

        @Bean
        TransactionTemplate ofBean(JdbcTransactionManager manager) {
            return new TransactionTemplate(manager);
        }

        @Bean
        TransactionTemplate ofExemptBean(JdbcTransactionManager exemptManager) {
            return new TransactionTemplate(exemptManager);
        }

        @Bean
        TransactionTemplate ofItsOwn() {
            return new TransactionTemplate(new JdbcTransactionManager(DATABASE.pool));
        }

        @Bean
        TransactionTemplate exemptWithItsOwn() {
            return new TransactionTemplate(new JdbcTransactionManager(DATABASE.pool));
        }
    }

    private AnnotationConfigApplicationContext context;

    @BeforeEach
    void start() {
        DATABASE.openAccount(account);
        context = new AnnotationConfigApplicationContext();
        context.getBeanFactory()
                .addBeanPostProcessor(new FencedTransactionManagers(
                        () -> DATABASE.fenced, Set.of("exemptManager", "exemptWithItsOwn")));
        context.register(Templates.class);
        context.refresh();
    }

    @AfterEach
    void stop() {
        context.close();
        DATABASE.assertNoConnectionLeaked();
    }

    private void addWhileASuccessorRuns(String template) {
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            context.getBean(template, TransactionTemplate.class).executeWithoutResult(status -> {
                DATABASE.add(account, 1);
                DATABASE.onAnotherThread(() -> DATABASE.runAsSuccessor(name));
            });
        }
    }

    @Test
    void managerThatOnlyATemplateHasIsFenced() {
        assertThatThrownBy(() -> addWhileASuccessorRuns("ofItsOwn")).isInstanceOf(StaleLeaseException.class);
        assertThat(DATABASE.balance(account)).isZero();
    }

    @Test
    void managerThatIsABeanIsFencedOnce() {
        assertThatThrownBy(() -> addWhileASuccessorRuns("ofBean")).isInstanceOf(StaleLeaseException.class);
        assertThat(context.getBean("manager", JdbcTransactionManager.class).getTransactionExecutionListeners())
                .hasSize(1);
    }

    @Test
    void exemptionHoldsForTemplates() {
        addWhileASuccessorRuns("ofExemptBean");
        addWhileASuccessorRuns("exemptWithItsOwn");
        assertThat(DATABASE.balance(account)).isEqualTo(2);
    }
}
