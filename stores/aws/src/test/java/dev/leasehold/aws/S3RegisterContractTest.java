package dev.leasehold.aws;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.CasRegisterContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedS3.class)
class S3RegisterContractTest extends CasRegisterContract {
    private final List<S3Client> clients = new ArrayList<>();

    @Override
    protected CasRegister openRegister() {
        clients.add(SharedS3.client("leases/register/contract"));
        return new S3Register(clients.get(clients.size() - 1));
    }

    @AfterEach
    void closeClients() {
        clients.forEach(S3Client::close);
    }
}
