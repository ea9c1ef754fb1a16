package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Sha256Test {
    /** From FIPS 180-4. */
    @Test
    void theExampleOfTheStandard() {
        assertThat(Sha256.hex("abc".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    /** Every length up to some blocks, because the padding depends on it, and lengths around the limit of the plain way. */
    @Test
    void anyInputHasTheHashThatTheJdkFinds() {
        Random random = new Random(7);
        for (int length = 0; length < 600; length++) {
            sameAsTheJdk(random, length);
        }
        for (int length : new int[] {Sha256.SHORT - 1, Sha256.SHORT, Sha256.SHORT + 1}) {
            sameAsTheJdk(random, length);
        }
    }

    private static void sameAsTheJdk(Random random, int length) {
        byte[] input = new byte[length];
        random.nextBytes(input);
        assertThat(Sha256.hex(input))
                .as(length + " bytes")
                .isEqualTo(HexFormat.of().formatHex(Sha256.digest().digest(input)));
    }
}
