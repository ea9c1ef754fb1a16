package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.internal.Fields;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.StoreId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Every value that can be created is valid, and a refusal names the arithmetic or the rule. */
class ValuesTest {
    @Test
    void termsThatCannotWorkAreRefusedWithTheArithmetic() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerms.ofTtl(Duration.ofSeconds(90)).withHeartbeat(Duration.ofSeconds(40)))
                .withMessageContaining("2 x heartbeat (40s)")
                .withMessageContaining("grace (5s)")
                .withMessageContaining("margin (ttl/10 = 9s)")
                .withMessageContaining("= 1m34s")
                .withMessageContaining("less than the ttl of 1m30s");
        // A sum equal to the ttl is refused too: no time would be left.
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerms.ofTtl(Duration.ofSeconds(90)).withHeartbeat(Duration.ofSeconds(38)));
        assertThat(LeaseTerms.ofTtl(Duration.ofSeconds(90))
                        .withHeartbeat(Duration.ofMillis(37_999))
                        .heartbeat())
                .isEqualTo(Duration.ofMillis(37_999));
    }

    @Test
    void defaultTermsFollowFromTheTtl() {
        LeaseTerms minute = LeaseTerms.ofTtl(Duration.ofSeconds(60));
        assertThat(minute.heartbeat()).isEqualTo(Duration.ofSeconds(20));
        assertThat(minute.margin()).isEqualTo(Duration.ofSeconds(6));
        assertThat(minute.trustedFor()).isEqualTo(Duration.ofSeconds(54));
        assertThat(minute.grace()).isEqualTo(Duration.ofSeconds(5));
        assertThat(LeaseTerms.ofTtl(Duration.ofSeconds(20)).grace()).isEqualTo(Duration.ofSeconds(2));
        for (Duration ttl : new Duration[] {LeaseTerms.MIN_TTL, Duration.ofSeconds(7), LeaseTerms.MAX_TTL}) {
            assertThat(LeaseTerms.ofTtl(ttl).ttl())
                    .as("defaults work for every ttl")
                    .isEqualTo(ttl);
        }
    }

    @Test
    void termsOutOfRangeAreRefused() {
        for (Duration ttl : new Duration[] {Duration.ZERO, Duration.ofMillis(99), Duration.ofDays(367)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LeaseTerms.ofTtl(ttl))
                    .withMessageContaining("out of range");
        }
        LeaseTerms terms = LeaseTerms.ofTtl(Duration.ofSeconds(90));
        assertThatIllegalArgumentException().isThrownBy(() -> terms.withHeartbeat(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> terms.withGrace(Duration.ofMillis(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> terms.withMinHold(Duration.ofMillis(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> terms.withProgressWithin(Duration.ZERO));
    }

    @Test
    void durationsOfOneUnitSurviveARoundTrip() {
        for (String text :
                new String[] {"1ms", "250ms", "999ms", "1s", "59s", "1m", "15m", "2h", "23h", "7d", "366d"}) {
            assertThat(DurationText.show(DurationText.parse(text))).isEqualTo(text);
        }
        assertThat(DurationText.parse("90s")).isEqualTo(DurationText.parse("90000ms"));
        assertThat(DurationText.show(Duration.ofSeconds(74))).isEqualTo("1m14s");
        assertThat(DurationText.show(Duration.ofMillis(8_340))).isEqualTo("8.3s");
        assertThat(DurationText.show(Duration.ofMinutes(90))).isEqualTo("1h30m");
        assertThat(DurationText.show(Duration.ofMillis(-1_500))).isEqualTo("-1.5s");
    }

    @Test
    void unparsableDurationsAreRefused() {
        for (String text : new String[] {
            "", "s", "5", "-5s", "+5s", "5 s", "5S", "1.5s", "5s ", "\u0665s", "99999999999999s", "3651d", "0x5s", "5\n"
        }) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> DurationText.parse(text));
        }
        assertThat(DurationText.parse("3650d")).isEqualTo(Duration.ofDays(3650));
    }

    @Test
    void grantsSurviveARoundTrip() {
        LeaseName name = LeaseName.of("a/b:c@d-e.f_G");
        Grant whole = new Grant(
                name, FencingToken.of(Long.MAX_VALUE), AttemptId.of("attempt-0001"), StoreId.of("store-0001"));
        Grant bare = Grant.bare(name, FencingToken.of(1));
        assertThat(Grant.decode(whole.encode())).isEqualTo(whole);
        assertThat(Grant.decode(bare.encode())).isEqualTo(bare);
        for (String text : new String[] {
            "",
            "lh1",
            "lh2;1;;;name",
            "lh1;0;;;name",
            "lh1;-1;;;name",
            "lh1;x;;;name",
            "lh1;1;;;",
            "lh1;1;;;na me",
            "lh1;1;short;;name",
            "lh1;1;;;name;more",
            "lh1;1;;;../\u0000",
            "lh1;9223372036854775808;;;name"
        }) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> Grant.decode(text));
        }
    }

    @Test
    void fieldsKeepAnyText() {
        StringBuilder every = new StringBuilder();
        for (char c = 0; c < 300; c++) {
            every.append(c);
        }
        String[] values = {"", " ", "a=b", "%", "%41", "100%", "two\nlines", "\r\n", "tab\t", every.toString(), "\u2028"
        };
        for (String value : values) {
            String text =
                    new Fields("header 1").put("key", value).put("other", 5).format();
            assertThat(text.split("\n", -1)).as("one line for each value").hasSize(4);
            assertThat(Fields.parse("header 1", text).require("key")).isEqualTo(value);
            assertThat(Fields.parse("header 1", text).requireLong("other")).isEqualTo(5);
        }
    }

    @Test
    void textThatIsNotARecordIsRefused() {
        for (String text : new String[] {
            "",
            "header 2\nk=v\n",
            "header 1\nk=v",
            "header 1\nno sign\n",
            "header 1\n=v\n",
            "header 1\nk=\u00104\n",
            "header 1\nk=\u0010zz\n",
            "header 1\n\nk=v\n"
        }) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> Fields.parse("header 1", text)
                    .require("k"));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fields.parse("header 1", "header 1\n").require("missing"))
                .withMessageContaining("missing");
    }

    @Test
    void fieldsKeepTimes() {
        Instant at = Instant.parse("2025-06-01T12:00:00.123456Z");
        Fields fields = Fields.parse(
                "h",
                new Fields("h")
                        .put("at", at)
                        .put("term", Duration.ofNanos(1_500_000))
                        .format());
        assertThat(fields.requireInstant("at")).isEqualTo(at);
        assertThat(fields.requireMicros("term")).isEqualTo(Duration.ofNanos(1_500_000));
    }

    @Test
    void tokensAndNamesFromOutsideAreChecked() {
        for (String text : new String[] {"", "0", "-1", "1.0", " 1", "1e3", "9223372036854775808", "abc"}) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> FencingToken.parse(text));
        }
        for (String text : new String[] {"", "a b", "../\n", "n\u0000", "\u00e4", "x".repeat(201), "a;b", "a%b"}) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> LeaseName.of(text));
        }
        for (String text : new String[] {"", "x".repeat(201), "a\nb", "a\u001b[31mb", "\u00e4"}) {
            assertThatIllegalArgumentException()
                    .as(text)
                    .isThrownBy(() -> Holder.of(text))
                    .satisfies(e -> assertThat(e.getMessage())
                            .as("the message contains no control character")
                            .matches("[ -~]+"));
        }
    }
}
