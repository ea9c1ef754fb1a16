package dev.leasehold.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.Secrets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SafeTextTest {
    @Test
    void controlCharactersAreEscaped() {
        assertThat(SafeText.show("a\u001b[2Jb\r\nc\u0000\u00fc\u202e"))
                .isEqualTo("a\\u001b[2Jb\\u000d\\u000ac\\u0000\\u00fc\\u202e");
    }

    @Test
    void hugeValuesAreCut() {
        assertThat(SafeText.show("x".repeat(1_000_000))).hasSize(83).endsWith("...");
    }

    @Test
    void passwordsAreNotRepeated() {
        assertThat(Secrets.withoutPassword("postgresql://me:s3cr:t@/x@host/db?password=p&x=1"))
                .isEqualTo("postgresql://me:***@host/db?***");
        assertThat(Secrets.withoutPassword("https://access-token@host/x.git")).isEqualTo("https://***@host/x.git");
        assertThat(Secrets.withoutPassword("ssh://git@host/x.git")).isEqualTo("ssh://git@host/x.git");
        assertThat(Secrets.withoutPassword("redis://host:6379/0")).isEqualTo("redis://host:6379/0");
        assertThat(Secrets.withoutPassword("file:/a:b@c")).isEqualTo("file:/a:b@c");
        assertThat(SafeText.quote("redis://:hunter2@host")).isEqualTo("'redis://:***@host'");
    }

    @Test
    void secretsOfAUrlAreFound() {
        assertThat(Secrets.in("mariadb://u:pa@ss@h/d?user=x&sslKeyPassword=q%20&token=t1&a"))
                .containsExactly("pa@ss", "q%20", "t1");
        assertThat(Secrets.in("postgresql://u@h/d")).isEmpty();
        assertThat(Secrets.in("https://access-token@host/x.git")).containsExactly("access-token");
        assertThat(Secrets.in("nonsense")).isEmpty();
        assertThat(Secrets.in("h2:mem:x?user=sa&password=q")).containsExactly("q");
        assertThat(Secrets.in("postgresql://u@h/d?password-file=/a&sslkey=/b")).isEmpty();
        assertThat(Secrets.in("mysql://u@h/d?allowPublicKeyRetrieval=true")).isEmpty();
    }

    @Test
    void secretsAreHiddenInUrlsAndOptions() {
        assertThat(Secrets.hide("x://u:a@h/d?password=a&b=a refused", List.of("a")))
                .isEqualTo("x://u:***@h/d?password=***&b=*** refused");
        assertThat(Secrets.hide("https://token@h failed", List.of("token"))).isEqualTo("https://***@h failed");
        assertThat(Secrets.hide("failed for s3cret! at h", List.of("s3cret!"))).isEqualTo("failed for *** at h");
    }

    /** A gap in a sentence would show the password. */
    @Test
    void passwordThatIsAnOrdinaryWordIsNotHiddenInSentences() {
        assertThat(Secrets.hide("the store cannot be reached", List.of("a", "reached", "store")))
                .isEqualTo("the store cannot be reached");
    }
}
