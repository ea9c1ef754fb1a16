package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LockNamesTest {
    @Test
    void ordinaryNamesStayAsTheyAre() {
        for (String name : List.of("report", "jobs/daily.report", "tenant:42_a-B")) {
            assertThat(LockNames.leaseName(name)).isEqualTo(LeaseName.of(name));
        }
    }

    @Test
    void otherCharactersAreEscaped() {
        assertThat(LockNames.leaseName("daily report").value()).isEqualTo("daily@20report");
        assertThat(LockNames.leaseName("me@host").value()).isEqualTo("me@40host");
        assertThat(LockNames.leaseName("h\u00e4ufig\n").value()).isEqualTo("h@u00E4ufig@0A");
    }

    /** Names are escaped without loss, also those that are no valid text. */
    @Test
    void everyLockHasItsOwnLeaseAndIsFoundByIt() {
        List<String> pieces = List.of(
                "@",
                "@2",
                "0",
                "20",
                "@20",
                " ",
                "u",
                "@u",
                "00E4",
                "\u00e4",
                "\ud83d\ude00",
                "\ud83d",
                "\udc00",
                "\0",
                "a",
                "A",
                "#",
                "leasehold-scratch/",
                "agent-edit/",
                "6C");
        Random random = new Random(42);
        Map<LeaseName, String> locks = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            StringBuilder name = new StringBuilder(pieces.get(random.nextInt(pieces.size())));
            for (int more = random.nextInt(4); more > 0; more--) {
                name.append(pieces.get(random.nextInt(pieces.size())));
            }
            String lock = name.toString();
            LeaseName lease = LockNames.leaseName(lock);
            assertThat(LockNames.lockName(lease)).hasValue(lock);
            assertThat(locks.putIfAbsent(lease, lock)).isIn(null, lock);
        }
    }

    @Test
    void leaseOfNoLockIsRecognized() {
        for (String name :
                List.of("me@host", "a@", "a@4", "@41", "a@u00e4", "@u0041", "a@u12", "leasehold-scratch/a")) {
            assertThat(LockNames.lockName(LeaseName.of(name))).as(name).isEmpty();
        }
    }

    /** An examination of the store erases names under its prefix, and with them the tokens. */
    @Test
    void noLockHasALeaseThatMayBeErased() {
        for (String prefix : List.of(LeaseStore.SCRATCH_PREFIX, LeaseStore.EDIT_PREFIX)) {
            LeaseName name = LockNames.leaseName(prefix + "x");

            assertThatThrownBy(() -> LeaseStore.requireScratch(name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void nameThatIsTooLongIsRefusedWithTheReason() {
        assertThat(LockNames.leaseName("x".repeat(200)).value()).hasSize(200);
        assertThatThrownBy(() -> LockNames.leaseName("x".repeat(198) + " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("201 characters, at most 200 are allowed")
                .hasMessageContaining("Shorten the name");
    }
}
