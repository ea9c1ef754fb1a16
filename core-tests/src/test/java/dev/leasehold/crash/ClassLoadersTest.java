package dev.leasehold.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.FencedFile;
import dev.leasehold.fence.FencedFileKillTest;
import dev.leasehold.internal.disk.TwoCopyFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two copies of the library in one process, as in two web applications. The lock of a file belongs
 * to the process, and closing any channel of the file drops it: one copy must not drop the lock of
 * the other.
 */
class ClassLoadersTest {
    @TempDir
    Path root;

    private Path page;
    private Path fence;
    private TwoCopyFile held;
    private ActorProcess other;

    @BeforeEach
    void heldByTheFirstCopy() throws Exception {
        page = root.toRealPath().resolve("page");
        FencedFile.at(page).raise(FencedFileKillTest.grant(1));
        fence = page.resolveSibling(".page.leasehold-fence");
        held = TwoCopyFile.open(fence, TwoCopyFile.Size.SMALL, "a long step", Duration.ofSeconds(1));
        other = ActorProcess.start();
    }

    @AfterEach
    void end() throws IOException {
        other.close();
        held.close();
    }

    @Test
    void copyThatTimesOutAndIsCollectedDropsNoLock() throws Exception {
        timeOutInADiscardedCopy();
        for (int i = 0; i < 10; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertOthersAreKeptOut();
    }

    @Test
    void copyThatIsInterruptedWhileItWaitsDropsNoLock() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Class<?> copy = copy();
        Thread waiting = new Thread(() -> {
            try {
                open(copy, Duration.ofSeconds(60)).close();
            } catch (Exception e) {
                thrown.set(e);
            }
        });
        waiting.start();
        for (int i = 0; i < 1000 && waiting.getState() != Thread.State.TIMED_WAITING; i++) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        waiting.interrupt();
        waiting.join(20_000);
        assertThat(thrown.get()).isInstanceOf(IOException.class);
        assertOthersAreKeptOut();
    }

    @Test
    void copyThatOnlyReadsDropsNoLock() throws Exception {
        Class<?> copy = copy();
        assertThatThrownBy(() -> peek(copy, Duration.ofMillis(50))).hasMessageContaining("in use");
        assertOthersAreKeptOut();
    }

    @Test
    void copiesTakeTurns() throws Exception {
        Class<?> copy = copy();
        held.close();
        for (int i = 0; i < 3; i++) {
            open(copy, Duration.ofSeconds(5)).close();
            assertThat(peek(copy, Duration.ofSeconds(5))).contains("raised=1");
            TwoCopyFile.open(fence, TwoCopyFile.Size.SMALL, "a step", Duration.ofSeconds(5))
                    .close();
        }
        held = TwoCopyFile.open(fence, TwoCopyFile.Size.SMALL, "a long step", Duration.ofSeconds(5));
        assertOthersAreKeptOut();
    }

    /** A separate method, so that the copy is unreachable when it returns. */
    private void timeOutInADiscardedCopy() throws Exception {
        Class<?> copy = copy();
        assertThatThrownBy(() -> open(copy, Duration.ofMillis(50))).hasMessageContaining("in use");
    }

    private void assertOthersAreKeptOut() throws Exception {
        assertThat(other.ask("raise " + page + " lh1,2,,,page"))
                .contains("is held by process " + ProcessHandle.current().pid());
        assertThat(held.text()).contains("raised=1");
    }

    private static Class<?> copy() throws Exception {
        URL place = TwoCopyFile.class.getProtectionDomain().getCodeSource().getLocation();
        ClassLoader loader = new URLClassLoader(new URL[] {place}, ClassLoader.getPlatformClassLoader());
        return Class.forName(TwoCopyFile.class.getName(), true, loader);
    }

    private AutoCloseable open(Class<?> copy, Duration wait) throws Exception {
        try {
            return (AutoCloseable)
                    copy.getMethod("open", Path.class, small(copy).getClass(), String.class, Duration.class)
                            .invoke(null, fence, small(copy), "a step of the copy", wait);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    private String peek(Class<?> copy, Duration wait) throws Exception {
        try {
            return (String) copy.getMethod("peek", Path.class, small(copy).getClass(), Duration.class)
                    .invoke(null, fence, small(copy), wait);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    private static Object small(Class<?> copy) throws Exception {
        return Class.forName(copy.getName() + "$Size", true, copy.getClassLoader())
                .getField(TwoCopyFile.Size.SMALL.name())
                .get(null);
    }
}
