package dev.leasehold.server;

import dev.leasehold.testkit.environment.Requires;
import java.util.List;

@Requires("python3")
class PythonClientTest extends ThinClientTest {
    @Override
    List<String> driver() {
        return List.of("python3", "-B", CLIENTS.resolve("python/driver.py").toString());
    }
}
