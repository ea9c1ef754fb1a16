package dev.leasehold.git;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A bare repository to push to, and a repository whose origin it is; new ones for each test. */
abstract class WithRemote {
    @TempDir
    Path directory;

    Repositories repositories;
    Path target;
    Path work;

    @BeforeEach
    void makeRepositories() {
        repositories = new Repositories(directory);
        target = repositories.bare("target.git");
        work = repositories.working("work", target);
    }
}
