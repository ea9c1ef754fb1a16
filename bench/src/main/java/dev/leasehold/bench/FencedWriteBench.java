package dev.leasehold.bench;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.nio.file.Path;
import java.util.Random;

/** A fenced write of 100 KB against a plain durable replacement of a file. */
final class FencedWriteBench {
    private FencedWriteBench() {}

    static void run(Path directory) throws Exception {
        byte[] content = new byte[100_000];
        new Random(1).nextBytes(content);
        Path plain = directory.resolve("plain");
        FencedFile fenced = FencedFile.at(directory.resolve("fenced"));
        Grant grant = Grant.bare(LeaseName.of("bench"), FencingToken.of(1));
        new Comparison("write 100 KB durably", 100, 15)
                .add("write, fsync, rename, fsync directory", times -> {
                    for (int i = 0; i < times; i++) {
                        RawFiles.replace(plain, content);
                    }
                })
                .add("FencedFile.admit", times -> {
                    for (int i = 0; i < times; i++) {
                        fenced.admit(grant, Content.of(content));
                    }
                })
                .run();
    }
}
