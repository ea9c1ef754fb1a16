package dev.leasehold.bench;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.store.FileLeaseStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Acquire and release in the file store, against writing, syncing and linking the same files
 * without Leasehold.
 */
final class FileStoreBench {
    private FileStoreBench() {}

    static void run(Path directory) throws Exception {
        byte[] record = new byte[300];
        Path bare = Files.createDirectory(directory.resolve("bare"));
        SystemIds ids = new SystemIds();
        try (FileLeaseStore store = FileLeaseStore.create(directory.resolve("store"), ids)) {
            LeaseName name = LeaseName.of("bench");
            Holder holder = Holder.of("bench");
            new Comparison("file store, acquire + release", 100, 15)
                    .add("the same files without Leasehold", times -> {
                        for (int i = 0; i < times; i++) {
                            Path grant = bare.resolve("g");
                            RawFiles.link(grant, record);
                            RawFiles.overwrite(bare.resolve("state"), record, 4096L * (1 + i % 2));
                            Files.delete(grant);
                        }
                    })
                    .add("acquire + release", times -> {
                        for (int i = 0; i < times; i++) {
                            Acquisition acquired =
                                    store.acquire(name, AttemptId.of(ids.unique()), holder, Duration.ofSeconds(90));
                            store.release(((Acquisition.Granted) acquired).grant(), Duration.ZERO);
                        }
                    })
                    .run();
        }
    }
}
