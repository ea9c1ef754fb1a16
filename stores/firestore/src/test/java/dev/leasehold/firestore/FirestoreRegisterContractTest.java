package dev.leasehold.firestore;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.CasRegisterContract;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires(InstalledProgram.FIRESTORE)
@ExtendWith(SharedFirestore.class)
class FirestoreRegisterContractTest extends CasRegisterContract {
    private final List<FirestoreRegister> registers = new ArrayList<>();

    @Override
    protected CasRegister openRegister() {
        registers.add(new FirestoreRegister(FirestoreClient.connect(SharedFirestore.url("register"))));
        return registers.get(registers.size() - 1);
    }

    @AfterEach
    void closeRegisters() {
        registers.forEach(FirestoreRegister::close);
    }
}
