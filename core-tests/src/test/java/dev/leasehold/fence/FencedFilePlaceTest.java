package dev.leasehold.fence;

import static dev.leasehold.fence.FencedFileKillTest.grant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.crash.ActorProcess;
import dev.leasehold.model.Admission;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Modes, owners, links and names around an artifact stay as they were, or the write is refused with
 * a reason.
 */
class FencedFilePlaceTest {
    @TempDir
    Path root;

    private Path page;

    @BeforeEach
    void place() {
        page = root.resolve("page");
    }

    @Test
    void modeIsKeptAndNeverWiderWhileStaging() throws Exception {
        for (String mode : List.of("rw-r-----", "rw-------", "rwxr-xr-x", "r--r-----", "rw-rw-rw-")) {
            Path file = root.resolve("page" + mode);
            Files.writeString(file, "old");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            Set<PosixFilePermission> staged = new HashSet<>();
            Content watching = out -> {
                out.write('n');
                out.flush();
                try (var files = Files.list(root)) {
                    for (Path f : files.filter(
                                    f -> f.getFileName().toString().contains("page" + mode + ".leasehold-staged"))
                            .toList()) {
                        staged.addAll(Files.getPosixFilePermissions(f));
                    }
                }
            };
            assertThat(FencedFile.at(file).admit(grant(1), watching)).isInstanceOf(Admission.Admitted.class);
            assertThat(mode(file)).isEqualTo(mode);
            assertThat(staged)
                    .as("while staging %s", mode)
                    .isNotEmpty()
                    .isSubsetOf(PosixFilePermissions.fromString(mode));
            Set<PosixFilePermission> fence = PosixFilePermissions.fromString(mode);
            fence.add(PosixFilePermission.OWNER_READ);
            fence.add(PosixFilePermission.OWNER_WRITE);
            assertThat(mode(root.resolve(".page" + mode + ".leasehold-fence")))
                    .isEqualTo(PosixFilePermissions.toString(fence));
            assertThat(FencedFile.at(file).admit(grant(2), Content.of("again"))).isInstanceOf(Admission.Admitted.class);
            assertThat(mode(file)).isEqualTo(mode);
        }
    }

    @Test
    void modeOfANewFileFollowsTheUmask() throws Exception {
        try (ActorProcess actor = ActorProcess.start("sh", "-c", "umask 027; exec \"$@\"", "sh")) {
            assertThat(actor.ask("once " + page + " lh1,1,,,page new")).startsWith("Admitted");
            assertThat(mode(page)).isEqualTo("rw-r-----");
            // A mode that the umask would not give is kept too.
            Files.setPosixFilePermissions(page, PosixFilePermissions.fromString("rw-rw-rw-"));
            assertThat(actor.ask("once " + page + " lh1,2,,,page newer")).startsWith("Admitted");
            assertThat(mode(page)).isEqualTo("rw-rw-rw-");
        }
    }

    @Test
    void ownerIsKeptIfThisUserMayChangeOwners() throws Exception {
        Files.writeString(page, "old");
        boolean asRoot = (Integer) Files.getAttribute(page, "unix:uid") == 0;
        int uid = asRoot ? 12345 : (Integer) Files.getAttribute(page, "unix:uid");
        int gid = asRoot ? 54321 : (Integer) Files.getAttribute(page, "unix:gid");
        Files.setAttribute(page, "unix:uid", uid);
        Files.setAttribute(page, "unix:gid", gid);
        assertThat(FencedFile.at(page).admit(grant(1), Content.of("new"))).isInstanceOf(Admission.Admitted.class);
        for (Path file : List.of(page, root.resolve(".page.leasehold-fence"))) {
            assertThat(Files.getAttribute(file, "unix:uid"))
                    .as("owner of %s", file)
                    .isEqualTo(uid);
            assertThat(Files.getAttribute(file, "unix:gid"))
                    .as("group of %s", file)
                    .isEqualTo(gid);
        }
    }

    @Test
    void symbolicLinkIsFollowedAndStaysALink() throws Exception {
        Path data = Files.createDirectories(root.resolve("data"));
        Path real = Files.writeString(data.resolve("real"), "old");
        Path link = Files.createSymbolicLink(root.resolve("link"), Path.of("data/real"));
        Path linkToLink = Files.createSymbolicLink(root.resolve("link2"), link);
        assertThat(FencedFile.at(linkToLink).admit(grant(2), Content.of("new"))).isInstanceOf(Admission.Admitted.class);
        assertThat(real).hasContent("new");
        assertThat(link).isSymbolicLink();
        assertThat(linkToLink).isSymbolicLink();
        assertThat(FencedFile.at(real).admit(grant(1), Content.of("zombie")))
                .as("one fence for all paths to the file")
                .isInstanceOf(Admission.Stale.class);
    }

    @Test
    void danglingLinkCreatesTheFileItPointsTo() throws Exception {
        Path data = Files.createDirectories(root.resolve("data"));
        Path link = Files.createSymbolicLink(root.resolve("link"), data.resolve("not-yet"));
        assertThat(FencedFile.at(link).admit(grant(1), Content.of("new"))).isInstanceOf(Admission.Admitted.class);
        assertThat(data.resolve("not-yet")).hasContent("new");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void targetsThatCannotBeReplacedSafelyAreRefusedUnchanged() throws Exception {
        Files.writeString(page, "old");
        Files.createLink(root.resolve("second-name"), page);
        assertRefused(page, "several hard links");
        assertThat(page).hasContent("old");

        assertRefused(Files.createDirectories(root.resolve("directory")), "is a directory");
        assertRefused(root.resolve("missing/page"), "does not exist");
        assertRefused(Path.of("/"), "is a directory");
        Path loop = root.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertRefused(loop, "loop of symbolic links");
        assertRefused(Path.of("/dev/null"), "not a regular file");
        try (var files = Files.list(root)) {
            assertThat(files.filter(f -> f.getFileName().toString().startsWith(".")))
                    .as("no files are left beside them")
                    .isEmpty();
        }
    }

    @Test
    void longestNamesOfTheSystemCanBeFenced() {
        Path file = root.resolve("x".repeat(255));
        assertThat(FencedFile.at(file).admitOnce(grant(1), Content.of("new"))).isInstanceOf(Admission.Admitted.class);
        assertThat(file).hasContent("new");
        assertThat(FencedFile.at(file).raise(grant(2))).isInstanceOf(Admission.Admitted.class);
        assertThat(FencedFile.at(file).admit(grant(1), Content.of("zombie"))).isInstanceOf(Admission.Stale.class);
    }

    @Test
    void leftoversOfDeadWritersAreRemovedAfterADay() throws Exception {
        Path stale = staged("dead", Duration.ofHours(25));
        Path young = staged("young", Duration.ofHours(23));
        Path other = root.resolve(".other.leasehold-staged-x");
        Files.writeString(other, "x");
        Files.setLastModifiedTime(other, FileTime.from(Instant.now().minus(Duration.ofDays(9))));
        FencedFile.at(page).raise(grant(1));
        assertThat(stale).doesNotExist();
        assertThat(young).exists();
        assertThat(other).as("leftover of another artifact").exists();
    }

    @Test
    void damagedFenceRefusesEveryWrite() throws Exception {
        FencedFile.at(page).admit(grant(5), Content.of("old"));
        Path fence = root.resolve(".page.leasehold-fence");
        try (FileChannel channel = FileChannel.open(fence, StandardOpenOption.WRITE)) {
            channel.truncate(4096 + 10);
        }
        byte[] before = Files.readAllBytes(fence);
        assertThatThrownBy(() -> FencedFile.at(page).admit(grant(9), Content.of("new")))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining(fence.toRealPath().toString())
                .hasMessageContaining("nothing was written");
        assertThat(page).hasContent("old");
        assertThat(fence).hasBinaryContent(before);
    }

    @Test
    void contentThatFailsLeavesNoFiles() throws Exception {
        Files.writeString(page, "old");
        assertThatThrownBy(() -> FencedFile.at(page).admit(grant(1), out -> {
                    out.write(new byte[100_000]);
                    throw new IOException("the source broke");
                }))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("nothing was written")
                .hasMessageContaining("the source broke");
        assertThat(page).hasContent("old");
        try (var files = Files.list(root)) {
            assertThat(files).containsExactly(page);
        }
    }

    private Path staged(String id, Duration age) throws IOException {
        Path file = Files.writeString(root.resolve(".page.leasehold-staged-" + id), "left");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
        return file;
    }

    private static void assertRefused(Path path, String reason) {
        FencedFile file = FencedFile.at(path);
        assertThatThrownBy(() -> file.admit(grant(1), Content.of("new")))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("nothing was written");
        assertThatThrownBy(() -> file.raise(grant(1)))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining(reason);
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
