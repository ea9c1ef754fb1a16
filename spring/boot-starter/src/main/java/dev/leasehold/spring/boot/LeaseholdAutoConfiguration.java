package dev.leasehold.spring.boot;

import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.jdbc.JdbcWork;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spring.tx.LeaseTaskDecorator;
import dev.leasehold.work.WorkLedger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.type.AnnotationMetadata;

/** Leases from what the application has, and leased methods. */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration",
            "org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration"
        },
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnProperty(name = "leasehold.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
@Import(LeaseholdAutoConfiguration.ProxyRegistrar.class)
public class LeaseholdAutoConfiguration {
    /** Makes Spring create proxies, in an application that has no other reason for them. */
    static final class ProxyRegistrar implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }

    /** Closed with the leases. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    LeaseStore leaseStore(LeaseholdProperties settings, ConfigurableListableBeanFactory beans) {
        return new StoreOpener(settings, beans).open();
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Leases leases(
            LeaseholdProperties settings,
            LeaseStore leaseStore,
            ObjectProvider<LeaseListener> listeners,
            ObjectProvider<EngineContext> context) {
        Leases.Builder builder = Leases.over(leaseStore)
                .terms(LeaseTerms.ofTtl(settings.defaults().ttl()))
                .listener(LeaseListener.all(listeners.orderedStream().toList()));
        if (settings.holder() != null) {
            builder.holder(Holder.of(settings.holder()));
        }
        context.ifUnique(builder::context);
        return builder.build();
    }

    @Bean
    LeaseEventPublisher leaseEventPublisher(ApplicationEventPublisher events) {
        return new LeaseEventPublisher(events);
    }

    @Bean
    RunningCalls runningLeasedCalls(LeaseholdProperties settings) {
        return new RunningCalls(settings.drain());
    }

    @Bean
    LeasedMethods leasedMethods(LeaseholdProperties settings, ConfigurableListableBeanFactory beans) {
        return new LeasedMethods(settings.defaults(), beans);
    }

    @Bean
    LeasedInterceptor leasedInterceptor(
            Leases leases,
            LeasedMethods methods,
            RunningCalls running,
            LeaseholdProperties settings,
            ConfigurableListableBeanFactory beans) {
        return new LeasedInterceptor(leases, methods, running, keys(leases.store(), settings, beans));
    }

    private static KeyedCalls keys(
            LeaseStore store, LeaseholdProperties settings, ConfigurableListableBeanFactory beans) {
        DataSource source = databaseOf(store, settings, beans);
        // Now, because inside a transaction it would need a second connection.
        JdbcWork work = source == null ? null : JdbcWork.over(store, source);
        return new KeyedCalls(WorkLedger.over(store), source, work);
    }

    /** Null if the leases are not in a data source of the application. */
    private static @Nullable DataSource databaseOf(
            LeaseStore store, LeaseholdProperties settings, ConfigurableListableBeanFactory beans) {
        boolean byUrl = settings.store() != null
                && !settings.store().isBlank()
                && !settings.store().strip().equals("jdbc");
        return store instanceof JdbcLeaseStore && !byUrl
                ? LeaseDatabase.choose(beans, settings.dataSource()).orElse(null)
                : null;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeasedAdvisor leasedAdvisor(ObjectProvider<LeasedInterceptor> interceptor) {
        return new LeasedAdvisor(interceptor::getObject);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeasedLifecycleCheck leasedLifecycleCheck() {
        return new LeasedLifecycleCheck();
    }

    @Bean
    LeasedBeanChecks leasedBeanChecks(
            ConfigurableListableBeanFactory beans, LeasedMethods methods, LeaseholdProperties settings) {
        return new LeasedBeanChecks(beans, methods, settings);
    }

    /** Only if the application has none: Spring Boot would use neither of two. */
    @Bean
    @ConditionalOnMissingBean(TaskDecorator.class)
    @ConditionalOnProperty(name = "leasehold.task-decorator", matchIfMissing = true)
    LeaseTaskDecorator leaseTaskDecorator() {
        return new LeaseTaskDecorator();
    }
}
