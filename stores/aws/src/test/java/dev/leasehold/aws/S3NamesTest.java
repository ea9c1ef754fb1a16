package dev.leasehold.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.CasRegister;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Names of objects stand for keys, and sort as the keys do. */
class S3NamesTest {
    private final Random random = new Random(7);

    @Test
    void everyKeyComesBackAndKeepsItsPlaceInTheOrder() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            keys.add(key(1 + random.nextInt(i % 10 == 0 ? CasRegister.MAX_KEY_LENGTH : 3)));
        }
        for (int i = 0; i < keys.size(); i++) {
            String one = keys.get(i);
            String other = keys.get(random.nextInt(keys.size()));
            String name = S3Names.encode(one);
            assertThat(S3Names.decode(name)).isEqualTo(one);
            assertThat(Integer.signum((name + S3Names.END).compareTo(S3Names.encode(other) + S3Names.END)))
                    .as("'%s' and '%s'", one, other)
                    .isEqualTo(Integer.signum(one.compareTo(other)));
            assertThat(name.startsWith(S3Names.encode(one.substring(0, one.length() / 2))))
                    .isTrue();
            assertThat(name).matches("[A-Za-z0-9.:_/]*").doesNotMatch(".*[^/]{160}.*");
        }
    }

    private String key(int length) {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < length; i++) {
            key.append((char) (random.nextInt(4) == 0 ? "./-z~".charAt(random.nextInt(5)) : 0x20 + random.nextInt(95)));
        }
        return key.toString();
    }

    @Test
    void nameThatStandsForNoKeyIsRefused() {
        for (String name : List.of("a b", "z", "z9", ".2", ".zz", ".61", "a/b")) {
            assertThatThrownBy(() -> S3Names.decode(name)).as(name).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
