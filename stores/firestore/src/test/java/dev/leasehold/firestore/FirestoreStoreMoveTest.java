package dev.leasehold.firestore;

import dev.leasehold.testkit.StoreMoveContract;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires(InstalledProgram.FIRESTORE)
@ExtendWith(SharedFirestore.class)
class FirestoreStoreMoveTest extends StoreMoveContract {
    private final String place = "move-" + UUID.randomUUID();

    @Override
    protected String url() {
        return SharedFirestore.url(place);
    }
}
