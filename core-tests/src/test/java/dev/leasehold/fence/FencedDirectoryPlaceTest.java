package dev.leasehold.fence;

import static dev.leasehold.fence.FencedDirectoryKillTest.tree;
import static dev.leasehold.fence.FencedFileKillTest.grant;
import static dev.leasehold.fence.FencedFileKillTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.crash.ActorProcess;
import dev.leasehold.crash.DurabilityOrderTest;
import dev.leasehold.crash.Strace;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a tree may contain, where it can be published, and how earlier versions are kept. */
class FencedDirectoryPlaceTest {
    private static final Instant LONG_AGO = Instant.parse("2020-02-02T02:02:02Z");

    @TempDir
    Path root;

    private Path source;
    private Path site;

    @BeforeEach
    void place() throws IOException {
        source = Files.createDirectory(root.resolve("build"));
        Files.writeString(source.resolve("page"), "page");
        site = root.resolve("site");
    }

    private Admission publish(long token) {
        return FencedDirectory.at(site).admit(grant(token), source);
    }

    @Test
    void modesTimesLinksAndEmptyDirectoriesAreKept() throws IOException {
        Path program = Files.writeString(source.resolve("program"), "#!/bin/sh");
        Path empty = Files.createDirectories(source.resolve("deep/empty"));
        Files.createSymbolicLink(source.resolve("deep/link"), Path.of("../page"));
        Files.createSymbolicLink(source.resolve("dangling"), Path.of("not-there"));
        Files.createSymbolicLink(source.resolve("absolute"), source.resolve("page"));
        Files.writeString(source.resolve("caf\u00e9 \n x"), "odd name");
        mode(program, "rwxr-x--x");
        mode(empty, "r-xr-xr-x");
        for (Path aged : List.of(program, empty, source)) {
            Files.setLastModifiedTime(aged, FileTime.from(LONG_AGO));
        }
        assertThat(publish(1)).isInstanceOf(Admission.Admitted.class);
        assertThat(tree(site)).isEqualTo(tree(source));
        assertThat(mode(site.resolve("program"))).isEqualTo("rwxr-x--x");
        assertThat(mode(site.resolve("deep/empty"))).isEqualTo("r-xr-xr-x");
        assertThat(mode(site)).isEqualTo(mode(source));
        for (Path aged : List.of(site.resolve("program"), site.resolve("deep/empty"), site.toRealPath())) {
            assertThat(Files.getLastModifiedTime(aged).toInstant())
                    .as("%s", aged)
                    .isEqualTo(LONG_AGO);
        }
        assertThat(FencedDirectory.at(site).keeping(0).admit(grant(2), source)).isInstanceOf(Admission.Admitted.class);
        assertThat(versions()).as("a read-only directory is removed too").hasSize(1);
    }

    @Test
    void treeOfManyFilesIsCopiedWholeAndUnchanged() throws IOException {
        for (int i = 0; i < 300; i++) {
            Path folder = Files.createDirectories(source.resolve("folder" + i % 7));
            Files.writeString(folder.resolve("file" + i), ("content " + i + "\n").repeat(i * 3));
        }
        assertThat(FencedDirectory.at(site).admitOnce(grant(1), source)).isInstanceOf(Admission.Admitted.class);
        assertThat(tree(site)).isEqualTo(tree(source));
        assertThat(FencedDirectory.at(site).admitOnce(grant(1), source)).isInstanceOf(Admission.AlreadyWritten.class);
        Files.writeString(source.resolve("folder3/file3"), "changed");
        assertThat(FencedDirectory.at(site).admitOnce(grant(1), source)).isInstanceOf(Admission.OnceUsed.class);
        assertThat(versions()).hasSize(1);
    }

    @Test
    void treesThatCannotBePublishedAreRefusedWithTheReason() throws Exception {
        assertThat(publish(1)).isInstanceOf(Admission.Admitted.class);
        Path pipe = source.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertRefused(source, "pipe is neither a file nor a directory");
        Files.delete(pipe);
        Path link = Files.createSymbolicLink(source.resolve("link"), Path.of("../outside"));
        assertRefused(source, "leads out of the tree");
        Files.delete(link);
        assertRefused(root.resolve("missing"), "does not exist");
        assertRefused(source.resolve("page"), "is not a directory");
        assertRefused(root, "lies inside");
        Files.createDirectory(source.resolve("sub"));
        publish(1);
        assertRefused(site.resolve("sub"), "lies inside");
        assertThat(versions()).hasSize(2);
        assertThat(site.resolve("page")).hasContent("page");
    }

    private void assertRefused(Path tree, String why) throws IOException {
        List<String> before = versions();
        assertThatThrownBy(() -> FencedDirectory.at(site).admit(grant(1), tree))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("nothing was published");
        assertThat(versions()).as("no version is left").isEqualTo(before);
    }

    @Test
    void obstacleIsLeftAloneAndTheMessageSaysWhatToDo() throws IOException {
        Files.createDirectory(site);
        Files.writeString(site.resolve("mine"), "mine");
        assertThatThrownBy(() -> publish(1))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("ordinary directory")
                .hasMessageContaining("mv site site.before");
        assertThat(site.resolve("mine")).hasContent("mine");
        Files.move(site, root.resolve("site.before"));
        assertThat(publish(1)).isInstanceOf(Admission.Admitted.class);
        Path file = Files.writeString(root.resolve("file"), "file");
        assertThatThrownBy(() -> FencedDirectory.at(file).admit(grant(1), source))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("is a file");
        assertThatThrownBy(() -> FencedFile.at(site).admit(grant(1), Content.of("x")))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("is a directory");
        assertThat(FencedDirectory.at(root.resolve("\u00fc".repeat(120))).admit(grant(1), source))
                .as("the longest name that the system allows")
                .isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void linksToThePublishedDirectoryShareItsFence() throws IOException {
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(elsewhere.resolve("www"), Path.of("../site"));
        assertThat(FencedDirectory.at(link).admit(grant(2), source)).isInstanceOf(Admission.Admitted.class);
        assertThat(FencedDirectory.at(link).admit(grant(3), source)).isInstanceOf(Admission.Admitted.class);
        assertThat(publish(2)).isInstanceOf(Admission.Stale.class);
        assertThat(FencedPath.at(link).raise(grant(4))).isInstanceOf(Admission.Admitted.class);
        assertThat(publish(3)).isInstanceOf(Admission.Stale.class);
        assertThat(link).isSymbolicLink();
        assertThat(elsewhere).isDirectoryNotContaining("glob:**/.*");
    }

    @Test
    void earlierVersionsAreKeptToALimitAndCanBePublishedAgain() throws IOException {
        for (int i = 0; i < 7; i++) {
            Files.writeString(source.resolve("page"), "page " + i);
            publish(1);
        }
        assertThat(versions()).hasSize(4);
        Path kept = root.resolve(".site.leasehold").resolve(versions().get(0));
        String earlier = Files.readString(kept.resolve("page"));
        assertThat(FencedDirectory.at(site).keeping(1).admit(grant(2), kept)).isInstanceOf(Admission.Admitted.class);
        assertThat(site.resolve("page")).hasContent(earlier);
        assertThat(versions()).hasSize(2);
        assertThatThrownBy(() -> FencedDirectory.at(site).keeping(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void linkThatWasPointedBackByHandIsKept() throws IOException {
        publish(1);
        Path first = Files.readSymbolicLink(site);
        Files.writeString(source.resolve("page"), "mistake");
        publish(1);
        Files.delete(site);
        Files.createSymbolicLink(site, first);
        assertThat(FencedPath.at(site).raise(grant(2))).isInstanceOf(Admission.Admitted.class);
        assertThat(site.resolve("page")).hasContent("page");
        assertThat(FencedDirectory.at(site).keeping(0).admit(grant(2), source)).isInstanceOf(Admission.Admitted.class);
        assertThat(site.resolve("page")).hasContent("mistake");
    }

    @Test
    void leftoversOfDeadPublishersAreRemovedAfterADay() throws IOException {
        publish(1);
        Path versions = root.resolve(".site.leasehold");
        Path dead = Files.createDirectories(versions.resolve("s-dead"));
        Path doomed = Files.createDirectories(versions.resolve("d-5-doomed"));
        Path young = Files.createDirectories(versions.resolve("s-young"));
        Files.setLastModifiedTime(dead, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        publish(1);
        assertThat(dead).doesNotExist();
        assertThat(doomed).doesNotExist();
        assertThat(young).exists();
    }

    /** The publisher was frozen while it copied, and its successor raised the fence. */
    @Test
    @Requires("strace")
    void publisherThatWasFrozenWhileCopyingIsRefused() throws Exception {
        publish(5);
        try (ActorProcess frozen = ActorProcess.start()) {
            Path other = Files.createDirectory(root.resolve("other"));
            Files.writeString(other.resolve("page"), "of a zombie");
            Path scratch = root.resolve("scratch");
            frozen.ask("publish " + scratch + " " + text(6) + " " + other);
            Strace.Call copying = new Strace.Call("fsync", "", 1);
            try (Strace trace = Strace.interfere(frozen.ask("thread"), root.resolve("trace"), copying, "STOP")) {
                frozen.send("publish " + site + " " + text(6) + " " + other);
                FrozenWriterTest.awaitFrozen(frozen.pid());
                assertThat(FencedPath.at(site).raise(grant(7))).isInstanceOf(Admission.Admitted.class);
                frozen.thaw();
                assertThat(frozen.hear()).startsWith("Stale");
            }
            assertThat(site.resolve("page")).hasContent("page");
            assertThat(versions()).hasSize(1);
        }
    }

    @Test
    @Requires("strace")
    void publicationSyncsTreeFenceAndLinkInThisOrder() throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            String publish = "publish " + site + " " + text(1) + " " + source;
            actor.ask(publish);
            Files.writeString(source.resolve("page"), "other");
            List<Strace.Call> calls =
                    DurabilityOrderTest.traced(actor, publish.replace(text(1), text(2)), root.resolve("trace"));
            DurabilityOrderTest.inOrder(
                    calls,
                    DurabilityOrderTest.sync("/page>"),
                    DurabilityOrderTest.sync(".site.leasehold/s-"),
                    DurabilityOrderTest.sync(".site.leasehold>"),
                    DurabilityOrderTest.write("raised=2"),
                    DurabilityOrderTest.sync("leasehold-fence"),
                    DurabilityOrderTest.call("rename", "/v-"),
                    DurabilityOrderTest.sync(".site.leasehold>"),
                    DurabilityOrderTest.call("rename", "staged-link"),
                    DurabilityOrderTest.sync(root + ">"),
                    DurabilityOrderTest.write("Admitted"));
        }
    }

    private List<String> versions() throws IOException {
        try (Stream<Path> all = Files.list(root.resolve(".site.leasehold"))) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
