package dev.leasehold.bench;

import dev.leasehold.fence.FencedDirectory;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Publishing a tree of 2,000 files of 1 to 16 KB. Every contender copies the tree with modes and
 * times, switches a symbolic link to the copy by one rename, and deletes the previous copy. The
 * plain contenders differ in whether the copy survives a power cut; a published directory does.
 */
final class PublishBench {
    private static final int DIRECTORIES = 40;
    private static final int FILES = 50;

    private PublishBench() {}

    static void run(Path directory) throws Exception {
        Path tree = makeTree(directory.resolve("tree"));
        FencedDirectory site = FencedDirectory.at(directory.resolve("site")).keeping(0);
        Grant grant = Grant.bare(LeaseName.of("bench"), FencingToken.of(1));
        Plain quick = new Plain(Files.createDirectory(directory.resolve("quick")), tree, false);
        Plain durable = new Plain(Files.createDirectory(directory.resolve("durable")), tree, true);
        new Comparison("publish a tree of 2000 files", 1, 15)
                .add("copy + rename, nothing synced", quick::repeat)
                .add("copy, fsync each, rename, fsync directory", durable::repeat)
                .add("FencedDirectory.admit", times -> {
                    for (int i = 0; i < times; i++) {
                        site.admit(grant, tree);
                    }
                })
                .run();
    }

    private static Path makeTree(Path tree) throws IOException {
        Random random = new Random(1);
        for (int d = 0; d < DIRECTORIES; d++) {
            Path folder = Files.createDirectories(tree.resolve("folder" + d));
            for (int f = 0; f < FILES; f++) {
                byte[] content = new byte[1_000 + random.nextInt(15_000)];
                random.nextBytes(content);
                Files.write(folder.resolve("file" + f), content);
            }
        }
        return tree;
    }

    private record Plain(Path home, Path tree, boolean synced) {
        void repeat(int times) throws IOException {
            for (int i = 0; i < times; i++) {
                publish();
            }
        }

        private void publish() throws IOException {
            Path link = home.resolve("link");
            Path before = Files.exists(link) ? link.toRealPath() : null;
            Path copy = Files.createTempDirectory(home, "copy");
            List<Path> made = copyTo(copy);
            if (synced) {
                for (Path path : made) {
                    sync(path);
                }
            }
            Path staged = Files.createSymbolicLink(home.resolve("link.tmp"), copy.getFileName());
            Files.move(staged, link, StandardCopyOption.ATOMIC_MOVE);
            if (synced) {
                sync(home);
            }
            if (before != null) {
                Main.delete(before);
            }
        }

        private List<Path> copyTo(Path copy) throws IOException {
            List<Path> made = new ArrayList<>();
            try (Stream<Path> all = Files.walk(tree)) {
                for (Path path : all.toList()) {
                    Path to = copy.resolve(tree.relativize(path).toString());
                    if (!path.equals(tree)) {
                        Files.copy(path, to, StandardCopyOption.COPY_ATTRIBUTES);
                    }
                    made.add(to);
                }
            }
            made.sort(Comparator.reverseOrder());
            return made;
        }

        private static void sync(Path path) throws IOException {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
