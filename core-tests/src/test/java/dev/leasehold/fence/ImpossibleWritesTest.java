package dev.leasehold.fence;

import static dev.leasehold.fence.FencedFileKillTest.grant;
import static dev.leasehold.fence.FencedFileKillTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.crash.Actor;
import dev.leasehold.crash.ActorProcess;
import dev.leasehold.crash.Strace;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requirements;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Writes that cannot succeed: each is reported as not made, and later tokens can write. */
class ImpossibleWritesTest {
    @TempDir
    Path root;

    @Test
    @Requires("unshare")
    void mountPointIsNotReplacedAndLaterTokensCanWrite() throws Exception {
        Path host = Files.writeString(root.resolve("host"), "old");
        Path page = Files.writeString(root.resolve("page"), "below");
        try (ActorProcess actor = ActorProcess.start("unshare", "--user", "--map-root-user", "--mount")) {
            assertThat(actor.ask("exec mount --bind " + host + " " + page)).isEqualTo("0 ");
            String once = "once " + page + " ";
            assertThat(actor.ask(once + text(1) + " new"))
                    .contains("nothing was written")
                    .contains("mount point")
                    .contains("exec-fenced");
            assertThat(actor.ask("raise " + page + " " + text(2))).startsWith("Admitted");
            assertThat(actor.ask(once + text(1) + " new")).startsWith("Stale");
            assertThat(actor.ask(once + text(2) + " newer")).contains("nothing was written");
            assertThat(actor.ask("read " + page)).isEqualTo("old");
            assertThat(actor.ask("exec ls -A " + root)).doesNotContain("staged");
            assertThat(actor.ask("exec umount " + page)).isEqualTo("0 ");
            assertThat(actor.ask(once + text(2) + " newer"))
                    .as("the one write of the grant is not used up")
                    .startsWith("Admitted");
            assertThat(actor.ask("read " + page)).isEqualTo("newer");
        }
    }

    @Test
    @Requires("unshare")
    void logThatIsAMountPointIsWrittenInPlace() throws Exception {
        Path host = Files.writeString(root.resolve("host"), "");
        Path log = Files.writeString(root.resolve("log"), "");
        try (ActorProcess actor = ActorProcess.start("unshare", "--user", "--map-root-user", "--mount")) {
            assertThat(actor.ask("exec mount --bind " + host + " " + log)).isEqualTo("0 ");
            assertThat(actor.ask("append " + log + " " + text(1) + " record")).startsWith("Admitted");
        }
        assertThat(host).hasContent("record\n");
    }

    /** The writer died right after the decision; then the write became impossible. */
    @Test
    @Requires("strace")
    void decisionThatBecameImpossibleIsWithdrawnByTheNextWriter() throws Exception {
        for (boolean once : new boolean[] {true, false}) {
            Path page = Files.writeString(root.resolve("page-" + once), "old");
            dieAfterDeciding((once ? "once " : "admit ") + page + " " + text(4) + " new");
            assertThat(page).hasContent("old");
            Path aside = Files.move(page, root.resolve("aside-" + once));
            Files.createDirectory(page);
            assertThat(FencedPath.at(page).raise(grant(4))).isInstanceOf(Admission.Admitted.class);
            Files.delete(page);
            Files.move(aside, page);
            assertThat(FencedFile.at(page).raise(grant(4))).isInstanceOf(Admission.Admitted.class);
            assertThat(page).as("a withdrawn write does not come back").hasContent("old");
            assertThat(FencedFile.at(page).admitOnce(grant(4), Content.of("new")))
                    .isInstanceOf(Admission.Admitted.class);
            assertThat(page).hasContent("new");
        }
    }

    @Test
    @Requires("strace")
    void decisionWhoseStagedContentIsGoneIsNotReportedAsWritten() throws Exception {
        Path page = Files.writeString(root.resolve("page"), "old");
        dieAfterDeciding("once " + page + " " + text(4) + " new");
        try (var staged = Files.newDirectoryStream(root, ".page.leasehold-staged-*")) {
            for (Path file : staged) {
                Files.delete(file);
            }
        }
        assertThat(FencedFile.at(page).admitOnce(grant(4), Content.of("new"))).isInstanceOf(Admission.Admitted.class);
        assertThat(page).hasContent("new");
        assertThat(FencedFile.at(page).admitOnce(grant(4), Content.of("new")))
                .isInstanceOf(Admission.AlreadyWritten.class);
    }

    /** A first write that fails does not decide the kind of the target. */
    @Test
    @Requires("strace")
    void withdrawnWriteChangesNothing() throws Exception {
        Path page = root.resolve("page");
        assertThat(FencedFile.at(page).raise(grant(1))).isInstanceOf(Admission.Admitted.class);
        dieAfterDeciding("once " + page + " " + text(1) + " new");
        Files.createDirectory(page);
        assertThat(FencedPath.at(page).raise(grant(1))).isInstanceOf(Admission.Admitted.class);
        Files.delete(page);
        assertThat(FencedLog.at(page).admitOnce(grant(1), Content.of("record"))).isInstanceOf(Admission.Admitted.class);
        assertThat(page).hasContent("record\n");
    }

    @Test
    @Requires("strace")
    void publicationDoesNotReplaceADirectoryOfAnotherProgram() throws Exception {
        Path site = root.resolve("site");
        Path tree = Files.createDirectory(root.resolve("tree"));
        Files.writeString(tree.resolve("page"), "page");
        assertThat(FencedDirectory.at(site).raise(grant(4))).isInstanceOf(Admission.Admitted.class);
        dieAfterDeciding("publish " + site + " " + text(4) + " " + tree);
        Files.writeString(site, "made by hand");
        assertThat(FencedPath.at(site).raise(grant(5))).isInstanceOf(Admission.Admitted.class);
        assertThat(site).hasContent("made by hand");
        Files.delete(site);
        assertThat(FencedDirectory.at(site).admitOnce(grant(5), tree)).isInstanceOf(Admission.Admitted.class);
        assertThat(site.resolve("page")).hasContent("page");
    }

    @Test
    @Requires("setpriv")
    void fileOfAnotherUserInAStickyDirectoryIsNotReplacedAndLaterTokensCanRaise(TestInfo test) throws Exception {
        Path spool = sticky(test);
        Path page = spool.resolve("page");
        try (ActorProcess owner = ActorProcess.start(user(1001));
                ActorProcess other = ActorProcess.start(user(1002))) {
            assertThat(owner.ask("overwrite " + page + " one")).isEqualTo("overwritten");
            assertThat(owner.ask("exec chmod 666 " + page)).isEqualTo("0 ");
            assertThat(owner.ask("once " + page + " " + text(1) + " two")).startsWith("Admitted");
            assertThat(other.ask("once " + page + " " + text(2) + " three"))
                    .contains("nothing was written")
                    .contains("sticky");
            assertThat(owner.ask("once " + page + " " + text(1) + " late")).startsWith("Stale");
            assertThat(owner.ask("raise " + page + " " + text(3))).startsWith("Admitted");
            assertThat(owner.ask("once " + page + " " + text(3) + " four")).startsWith("Admitted");
            assertThat(other.ask("read " + page)).isEqualTo("four");
        }
    }

    @Test
    @Requires("setpriv")
    void leftoverOfAnotherUserInAStickyDirectoryDoesNotBlockRaising(TestInfo test) throws Exception {
        Path page = sticky(test).resolve("page");
        Path left = Files.writeString(page.resolveSibling(".page.leasehold-staged-left"), "left");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        try (ActorProcess actor = ActorProcess.start(user(1001))) {
            assertThat(actor.ask("raise " + page + " " + text(1))).startsWith("Admitted");
        }
        assertThat(left).exists();
    }

    private Path sticky(TestInfo test) throws Exception {
        boolean asRoot = (Integer) Files.getAttribute(root, "unix:uid") == 0;
        Requirements.require(test, asRoot, "to run as root, to act as several users");
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path spool = Files.createDirectory(root.resolve("spool"));
        assertThat(new ProcessBuilder("chmod", "1777", spool.toString()).start().waitFor())
                .isZero();
        Path program = Path.of(Actor.class.getResource("Actor.class").toURI());
        List<String> look = new ArrayList<>(List.of(user(1001)));
        look.addAll(List.of("test", "-r", program.toString()));
        boolean readable = new ProcessBuilder(look).start().waitFor() == 0;
        Requirements.require(test, readable, "a checkout that other users may read");
        return spool;
    }

    private static String[] user(int id) {
        return new String[] {"setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups"};
    }

    private void dieAfterDeciding(String command) throws Exception {
        Path scratch = Files.createDirectory(root.resolve("scratch" + command.hashCode()));
        try (ActorProcess actor = ActorProcess.start()) {
            String target = command.split(" ", -1)[1];
            String warm = command.replace(target + " ", scratch.resolve("warm") + " ");
            assertThat(actor.ask(warm)).startsWith("Admitted");
            Strace.Call rename = new Strace.Call("rename", "", 1);
            try (Strace trace = Strace.interfere(actor.ask("thread"), scratch.resolve("trace"), rename, "KILL")) {
                actor.send(command);
                actor.awaitDeath();
            }
        } catch (IOException e) {
            throw new AssertionError(command, e);
        }
    }
}
