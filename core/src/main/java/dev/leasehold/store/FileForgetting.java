package dev.leasehold.store;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.FileNames;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Forgetting;
import dev.leasehold.spi.ForgetRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Forgets names of a file store, and keeps the floor under their tokens. One process at a time does so. */
final class FileForgetting {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final Path leases;
    private final FloorFiles floor;

    FileForgetting(Path leases, FloorFiles floor) {
        this.leases = leases;
        this.floor = floor;
    }

    List<Forgetting> forget(List<ForgetRequest> requests) throws IOException {
        try (TwoCopyFile turn = floor.lock(WAIT)) {
            List<Forgetting> answers = new ArrayList<>(requests.size());
            for (ForgetRequest request : requests) {
                Path directory = leases.resolve(FileNames.encode(request.name().value()));
                answers.add(new NameRemoval(directory, floor).forget(request));
            }
            return answers;
        }
    }

    /** Goes on with forgetting the name in this directory, if a process died in the middle of that. */
    void finish(Path directory) throws IOException {
        if (!Disk.exists(leases.resolve(FloorFiles.DIRECTORY))) {
            return;
        }
        try (TwoCopyFile turn = floor.lock(WAIT)) {
            new NameRemoval(directory, floor).finish();
        }
    }

    /** In a store that nobody uses yet. */
    void raise(long token) throws IOException {
        if (token > 0) {
            try (TwoCopyFile turn = floor.lock(WAIT)) {
                floor.raise(token);
            }
        }
    }
}
