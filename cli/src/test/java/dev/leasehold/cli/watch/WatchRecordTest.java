package dev.leasehold.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.events.EventPosition;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.MemoryRegister;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WatchRecordTest {
    private static final LeaseName WATCH = LeaseName.of("main/leasehold-watch");

    private final CasRegister register = new MemoryRegister(Clock.systemUTC());

    @Test
    void whatStillHoldsIsNeverForgottenHoweverMuchIsWrong() {
        WatchRecord record = new WatchRecord(register, WATCH);
        Set<String> ids = new LinkedHashSet<>();
        for (int i = 0; !record.isFull(); i++) {
            String id = "overdue/" + "x".repeat(150) + i + "/2026-11-16T13:00:00Z";
            ids.add(id);
            assertThat(record.tell(id)).isTrue();
        }
        assertThat(record.moveTo(EventPosition.parse("1"), ids)).isTrue();

        WatchRecord next = new WatchRecord(register, WATCH);
        assertThat(ids).hasSizeGreaterThan(3000).allMatch(next::wasTold);
        assertThat(next.moveTo(EventPosition.parse("2"), Set.of())).isTrue();
        assertThat(new WatchRecord(register, WATCH).isFull()).isFalse();
    }

    /** Its successor writes between the two steps in which a record is saved. */
    @Test
    void aWatchThatIsReplacedWhileItWritesDoesNotTakeTheVersionOfItsSuccessor() {
        boolean[] replaced = {false};
        CasRegister slow = (CasRegister) Proxy.newProxyInstance(
                CasRegister.class.getClassLoader(), new Class<?>[] {CasRegister.class}, (self, method, arguments) -> {
                    Object result = method.invoke(register, arguments);
                    if (method.getName().equals("compareAndSet") && !replaced[0]) {
                        replaced[0] = true;
                        assertThat(new WatchRecord(register, WATCH).tell("told by the successor"))
                                .isTrue();
                    }
                    return result;
                });
        WatchRecord old = new WatchRecord(slow, WATCH);

        assertThat(old.tell("lost/job/1")).isFalse();
        assertThat(old.tell("lost/job/2")).isFalse();
        assertThat(new WatchRecord(register, WATCH).wasTold("told by the successor"))
                .isTrue();
    }

    @Test
    void aWatchThatWasReplacedCannotWrite() {
        WatchRecord old = new WatchRecord(register, WATCH);
        WatchRecord successor = new WatchRecord(register, WATCH);
        assertThat(successor.moveTo(EventPosition.parse("5"), Set.of())).isTrue();

        assertThat(old.tell("lost/job/1")).isFalse();
        assertThat(old.moveTo(EventPosition.parse("9"), Set.of())).isFalse();
        assertThat(new WatchRecord(register, WATCH).position()).isEqualTo(EventPosition.parse("5"));
    }
}
