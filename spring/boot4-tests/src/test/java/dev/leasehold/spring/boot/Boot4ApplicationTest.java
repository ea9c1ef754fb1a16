package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** The same application, compiled for Spring Boot 3.5, on Spring Boot 4. */
class Boot4ApplicationTest extends ApplicationTest {
    @Test
    void thisIsSpringBoot4() {
        assertThat(SpringBootVersion.getVersion()).startsWith("4.");
    }
}
