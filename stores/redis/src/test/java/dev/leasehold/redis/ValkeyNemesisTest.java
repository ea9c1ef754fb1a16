package dev.leasehold.redis;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;

@Requires(InstalledProgram.VALKEY)
class ValkeyNemesisTest extends RedisNemesisTest {
    @Override
    RedisProcess start(String... settings) throws Exception {
        return RedisProcess.startValkey(settings);
    }
}
