package dev.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {
    @Test
    void everyPartIsRead() {
        RedisAddress address = RedisAddress.parse(
                "rediss://app:p%40ss%3A%2Fw%25@my_redis.internal:7000/3?ns=team-a&timeout=500ms&ca=a%20b.pem");
        assertThat(address.tls()).isTrue();
        assertThat(address.host()).isEqualTo("my_redis.internal");
        assertThat(address.port()).isEqualTo(7000);
        assertThat(address.user()).isEqualTo("app");
        assertThat(address.password()).isEqualTo("p@ss:/w%");
        assertThat(address.database()).isEqualTo(3);
        assertThat(address.namespace()).isEqualTo("team-a");
        assertThat(address.timeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(address.certificates()).isEqualTo("a b.pem");
        assertThat(address).hasToString("rediss://my_redis.internal:7000/3");
    }

    @Test
    void optionalPartsHaveDefaults() {
        RedisAddress address = RedisAddress.parse("redis://localhost");
        assertThat(address.tls()).isFalse();
        assertThat(address.port()).isEqualTo(6379);
        assertThat(address.user()).isNull();
        assertThat(address.password()).isNull();
        assertThat(address.database()).isZero();
        assertThat(address.namespace()).isEqualTo("default");
        assertThat(RedisAddress.parse("REDIS://localhost/").database()).isZero();
        assertThat(RedisAddress.parse("redis://:secret@localhost").password()).isEqualTo("secret");
        assertThat(RedisAddress.parse("redis://[::1]:7000").host()).isEqualTo("::1");
        assertThat(RedisAddress.parse("redis://[::1]")).hasToString("redis://[::1]:6379");
        assertThat(RedisAddress.parse("redis://h:1?ns=x").namespace()).isEqualTo("x");
    }

    /** Messages name the server as the URL does. */
    @Test
    void valkeyIsTheSameUnderItsOwnName() {
        RedisAddress plain = RedisAddress.parse("valkey://localhost:7000");
        assertThat(plain.tls()).isFalse();
        assertThat(plain.port()).isEqualTo(7000);
        assertThat(plain.server()).isEqualTo("Valkey at valkey://localhost:7000");
        RedisAddress encrypted = RedisAddress.parse("VALKEYS://localhost");
        assertThat(encrypted.tls()).isTrue();
        assertThat(encrypted.server()).isEqualTo("Valkey at valkeys://localhost:6379");
        assertThat(encrypted.schemeWithoutTls()).isEqualTo("valkey");
        assertThat(RedisAddress.parse("rediss://localhost").server()).isEqualTo("Redis at rediss://localhost:6379");
        assertThat(RedisAddress.parse("rediss://localhost").schemeWithoutTls()).isEqualTo("redis");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis:localhost",
                "redis://",
                "redis://:hunter2@",
                "redis://hunter2@host",
                "redis://:hun@ter2@host:port",
                "redis://:hunter2@host:0",
                "redis://:hunter2@host:65536",
                "redis://:hunter2@host/db",
                "redis://:hunter2@host/0/1",
                "redis://:hunter2@host/-1",
                "redis://:hun/ter2@host",
                "redis://:hun?ter2@host",
                "redis://:hun#ter2@host",
                "redis://:hun%ter2@host",
                "redis://:hunter2@ho st",
                "redis://:hunter2@host?ns=",
                "redis://:hunter2@host?ns=a}b",
                "redis://:hunter2@host?ns=a b",
                "redis://:hunter2@host?timeout=0s",
                "redis://:hunter2@host?timeout=soon",
                "redis://:hunter2@host?timeout=2h",
                "redis://:hunter2@host?password=hunter2",
                "redis://:hunter2@host?ns"
            })
    void malformedUrlGetsTheCorrectFormAndIsNotRepeated(String url) {
        assertThatThrownBy(() -> Stores.create(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis://[[user]:password@]host[:port][/database]")
                .hasMessageNotContainingAny("hunter2", "ter2", "hun")
                .hasNoCause();
    }

    @Test
    void missingCertificatesAreNamed() {
        assertThatThrownBy(() -> Stores.create("rediss://:hunter2@localhost?ca=no/such/file.pem"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no/such/file.pem")
                .hasMessageNotContaining("hunter2");
    }
}
