package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A store moves house, and nobody who used it loses anything. */
class StoreMigrateTest {
    @RegisterExtension
    static final ServerStore POSTGRESQL = ServerStore.POSTGRESQL;

    @RegisterExtension
    static final ServerStore REDIS = ServerStore.REDIS;

    @TempDir
    Path directory;

    private CliRunner cli;
    private String old;
    private String sqlite;
    private Path page;

    @BeforeEach
    void useAStoreWithHistory() {
        cli = CliRunner.withStore(directory.resolve("old")).env("PATH", System.getenv("PATH"));
        old = "file:" + directory.resolve("old");
        sqlite = "sqlite:" + directory.resolve("new.db");
        page = directory.resolve("page.html");
    }

    private Result in(String url, String... command) {
        return cli.env("LEASEHOLD_STORE", url).run(command);
    }

    private Result migrate(String from, String to) {
        return cli.run("store", "migrate", "--from", from, "--to", to);
    }

    private void fill(String url) {
        in(url, "run", "job", "--key", "2026-11-16", "--guard", "file:" + page, "--", "true");
        in(url, "cancel", "job", "--reason", "wrong input");
        in(url, "acquire", "held", "--ttl", "1h", "--json");
    }

    /** What people see of the store, without the times. */
    private List<String> shown(String url) {
        return List.of(
                in(url, "status", "job", "--json").out().replaceAll("\"at\":\"[^\"]*\"", ""),
                in(url, "history", "job", "--json").out(),
                in(url, "work", "--json").out(),
                in(url, "explain", "job", "--json").out().replaceAll("(?s).*\"runs\":", ""));
    }

    @Test
    void everyKindOfRecordArrivesInEveryKindOfStore() {
        fill(old);
        List<String> before = shown(old);
        String id = in(old, "store", "init", "--json").out().replaceAll("(?s).*\"id\":\"([^\"]*)\".*", "$1");
        List<String> places = List.of(
                old,
                sqlite,
                POSTGRESQL.url(),
                REDIS.url() + "?ns=moved",
                "h2:" + directory.resolve("h2"),
                "file:" + directory.resolve("back"));
        for (int i = 1; i < places.size(); i++) {
            Result moved = migrate(places.get(i - 1), places.get(i));
            assertThat(moved.code()).as(moved.err()).isZero();
            assertThat(moved.out()).contains("id=" + id);
            assertThat(moved.err()).contains("moved 2 leases");
            assertThat(withoutTimes(shown(places.get(i)))).isEqualTo(withoutTimes(before));
        }
        String last = places.get(places.size() - 1);
        assertThat(in(last, "acquire", "job").outLine()).isEqualTo("3");
        assertThat(in(last, "run", "job", "--key", "2026-11-16", "--", "false").code())
                .isZero();
    }

    /** Moments in the clock of the store, which another store continues in its own clock. */
    private static List<String> withoutTimes(List<String> shown) {
        return shown.stream()
                .map(line ->
                        line.replaceAll("\"(at|deadline|seen|expiresInMs|ageMs|acquiredAt)\":(\"[^\"]*\"|\\d+)", ""))
                .toList();
    }

    @Test
    void theOldStoreRefersToTheNewOneEverAfter() {
        fill(old);
        Result moved = migrate(old, sqlite);
        assertThat(moved.code()).as(moved.err()).isZero();
        for (String command : List.of(
                "run job -- true",
                "acquire x",
                "status",
                "history job",
                "explain job",
                "work",
                "doctor",
                "store init")) {
            Result refused = in(old, command.split(" "));
            assertThat(refused.code()).as(command).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(refused.err()).as(command).contains("was moved to " + sqlite, "Use that URL");
        }
        Result again = migrate(old, sqlite);
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.err()).contains("moved before");
        Result elsewhere = migrate(old, "file:" + directory.resolve("elsewhere"));
        assertThat(elsewhere.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(elsewhere.err()).contains("was moved to " + sqlite).doesNotContain("has begun");
        assertThat(directory.resolve("elsewhere/leasehold-store")).doesNotExist();
    }

    @Test
    void aHolderKeepsWhatItWasToldAndTheFenceGoesOn() {
        Result acquired = in(old, "acquire", "job", "--ttl", "1h", "--json");
        String grant = String.valueOf(JsonText.object(acquired.out()).get("grant"));
        cli.env("LEASEHOLD_GRANT", grant);
        assertThat(cli.stdin("one").run("write", page.toString()).code()).isZero();
        cli.without("LEASEHOLD_GRANT");

        Result moved = migrate(old, sqlite);
        assertThat(moved.err()).contains("1 lease is held");

        assertThat(in(sqlite, "acquire", "job").code()).isEqualTo(ExitCode.BUSY);
        cli.env("LEASEHOLD_GRANT", grant);
        assertThat(in(sqlite, "renew", "job").code()).isZero();
        assertThat(cli.stdin("two").run("write", page.toString()).code()).isZero();
        assertThat(in(sqlite, "release", "job").code()).isZero();
        cli.without("LEASEHOLD_GRANT");
        Result next = in(sqlite, "run", "job", "--guard", page.toString(), "--", "true");
        assertThat(next.code()).as(next.err()).isZero();
    }

    @Test
    void aMoveThatWasInterruptedIsRepeated() {
        fill(old);
        List<String> before = shown(old);
        Stores.moveAway(old, "file:/a/disk/that/died").close();
        Result waiting = in(old, "status");
        assertThat(waiting.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(waiting.err()).contains("is being moved to", "store migrate");
        String place = "file:" + directory.resolve("half");
        try (IncomingStore half = Stores.receive(place, StoreId.of("another-store"))) {
            assertThat(half.register().compareAndSet("work/half", "", "value")).isTrue();
        }
        for (String command : List.of("status", "store init", "store adopt")) {
            assertThat(in(place, command.split(" ")).err()).as(command).contains("being filled", "repeat");
        }
        Result mixed = migrate(old, place);
        assertThat(mixed.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(mixed.err()).contains("half filled", "another-store", "to this place or to another one");
        Result moved = migrate(old, sqlite);
        assertThat(moved.code()).as(moved.err()).isZero();
        assertThat(withoutTimes(shown(sqlite))).isEqualTo(withoutTimes(before));
    }

    /** Otherwise the old leases would be granted again, under the same id. */
    @Test
    void aMoveIsNotRepeatedWhenTheNewPlaceIsNotMounted() throws IOException {
        fill(old);
        assertThat(migrate(old, sqlite).code()).isZero();
        Path database = directory.resolve("new.db");
        Files.move(database, directory.resolve("unmounted.db"));
        Result again = migrate(old, sqlite);
        assertThat(again.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(again.err()).contains("there is no store with its id now", "Mount it");
        assertThat(database).doesNotExist();
        Result forced = cli.run("store", "migrate", "--from", old, "--to", sqlite, "--never-used");
        assertThat(forced.code()).isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void aMoveThatDiedInItsLastStepNeedsAWord() {
        fill(old);
        try (OutgoingStore outgoing = Stores.moveAway(old, sqlite)) {
            outgoing.allCopied();
        }
        assertThat(migrate(old, sqlite).err()).contains("--never-used");
        Result moved = cli.run("store", "migrate", "--from", old, "--to", sqlite, "--never-used");
        assertThat(moved.code()).as(moved.err()).isZero();
        assertThat(in(sqlite, "acquire", "job").outLine()).isEqualTo("3");
    }

    @Test
    void aCopyOfAHalfMovedStoreIsNotMoved() throws Exception {
        fill(old);
        Stores.moveAway(old, "file:/a/disk/that/died").close();
        assertThat(new ProcessBuilder(
                                "cp",
                                "-a",
                                directory.resolve("old").toString(),
                                directory.resolve("copy").toString())
                        .start()
                        .waitFor())
                .isZero();
        Result refused = migrate("file:" + directory.resolve("copy"), sqlite);
        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err()).contains("is a copy of a store");
        assertThat(migrate(old, sqlite).code()).isZero();
    }

    @Test
    void aWaiterIsToldAtOnce() throws Exception {
        in(old, "acquire", "job", "--ttl", "1h");
        Process waiter = cli.start("run", "job", "--on-busy", "wait", "--", "true");
        try {
            Thread.sleep(1500);
            assertThat(migrate(old, sqlite).code()).isZero();
            assertThat(waiter.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(waiter.exitValue()).isEqualTo(ExitCode.UNAVAILABLE);
        } finally {
            waiter.destroyForcibly();
        }
    }

    /** The store is not closed by a move that cannot be made. */
    @Test
    void aStoreWhosePartsCannotBeRenamedStaysOpen() throws Exception {
        fill(old);
        Files.createDirectories(directory.resolve("old/leases-moved/of-an-earlier-move"));
        Result refused = migrate(old, sqlite);
        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err())
                .contains("leases-moved", "nothing was changed")
                .doesNotContain("has begun");
        assertThat(in(old, "status").code()).isZero();
    }

    /** A lock of the process that fills a place counts for other processes too, and so does that of the old store. */
    @Test
    void anotherProcessIsRefusedWhileAMoveIsUnderWay() {
        fill(old);
        String place = "file:" + directory.resolve("place");
        String id = in(old, "store", "init", "--json").out().replaceAll("(?s).*\"id\":\"([^\"]*)\".*", "$1");
        try (IncomingStore filling = Stores.receive(place, StoreId.of(id))) {
            assertThat(filling.register().read("x").value()).isEmpty();
            Result refused = cli.withDrivers().process("store", "migrate", "--from", old, "--to", place);
            assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(refused.err()).contains(".leasehold-receiving is locked").doesNotContain("has begun");
        }
        try (OutgoingStore moving = Stores.moveAway(old, place)) {
            assertThat(moving.content().names("", "", 9)).hasSize(2);
            Result refused = cli.withDrivers().process("store", "migrate", "--from", old, "--to", sqlite);
            assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(refused.err()).contains(".leasehold-moving is locked");
        }
        assertThat(migrate(old, place).code()).isZero();
    }

    /** Each process gets a little further than the one before. */
    @Test
    void aMoveThatIsKilledAnywhereIsRepeated() throws Exception {
        fill(old);
        List<String> before = shown(old);
        int kills = 0;
        long millis = 200;
        Process process = mover();
        while (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
            kills++;
            millis = millis * 5 / 4;
            assertThat(millis).isLessThan(60_000);
            process = mover();
        }
        String told = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        if (told.contains("--never-used")) {
            // It was killed in the last step, and cannot know whether somebody has used the new store since.
            Result again = cli.run("store", "migrate", "--from", old, "--to", sqlite, "--never-used");
            assertThat(again.code()).as(again.err()).isZero();
        } else {
            assertThat(process.exitValue()).as(told).isZero();
        }
        assertThat(kills).isPositive();
        assertThat(withoutTimes(shown(sqlite))).isEqualTo(withoutTimes(before));
    }

    private Process mover() throws IOException {
        return cli.withDrivers().start("store", "migrate", "--from", old, "--to", sqlite);
    }

    @Test
    void aRelativePathIsRecordedWhole() {
        fill(old);
        Result moved = migrate(old, "sqlite:relative-" + directory.getFileName() + ".db");
        Path made = Path.of("relative-" + directory.getFileName() + ".db").toAbsolutePath();
        try {
            assertThat(moved.code()).as(moved.err()).isZero();
            assertThat(in(old, "status").err()).contains("was moved to sqlite:" + made);
        } finally {
            made.toFile().delete();
        }
    }

    @Test
    void aPlaceThatCannotBeUsedLeavesTheOldStoreAsItIs() throws Exception {
        fill(old);
        Files.createDirectory(directory.resolve("full"));
        Files.createFile(directory.resolve("full/something"));
        LeaseStore other = Stores.create("file:" + directory.resolve("other"));
        other.close();
        for (String place : List.of(
                "file:" + directory.resolve("full"),
                "file:" + directory.resolve("other"),
                old,
                "postgresql://postgres@localhost:1/leases")) {
            Result refused = migrate(old, place);
            assertThat(refused.code()).as(place + refused.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(refused.err()).doesNotContain("has begun");
            assertThat(in(old, "status").code()).isZero();
        }
    }

    @Test
    void aDamagedRecordIsFoundBeforeTheMoveBegins() throws Exception {
        fill(old);
        Path record;
        try (var files = Files.walk(directory.resolve("old/leases"))) {
            record = files.filter(file -> file.endsWith("state")).findFirst().orElseThrow();
        }
        Files.writeString(record, "damaged");
        Result refused = migrate(old, sqlite);
        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err()).contains("is damaged", "nothing was changed");
        assertThat(directory.resolve("old/leases")).exists();
    }

    @Test
    void passwordsAreNotShown() {
        Result refused = migrate(old, "postgresql://worker:s3cret@localhost:1/leases");
        assertThat(refused.err()).doesNotContain("s3cret");
    }
}
