package dev.leasehold.client;

import dev.leasehold.client.message.ChangeAnswer;
import dev.leasehold.client.message.NamesAnswer;
import dev.leasehold.client.message.RegisterAnswer;
import dev.leasehold.client.message.RegisterCall;
import dev.leasehold.client.message.VersionsAnswer;
import dev.leasehold.spi.CasRegister;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The register of a server's store. */
final class HttpRegister implements CasRegister {
    private final ServerConnection server;

    HttpRegister(ServerConnection server) {
        this.server = server;
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireKey(key);
        return server.get("/v1/register", "key", key).as(RegisterAnswer.class).toReading();
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        CasRegister.requireKey(key);
        CasRegister.requireValue(value);
        return change("/v1/register/set", key, expected, value);
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireKey(key);
        return change("/v1/register/remove", key, expected, null);
    }

    /** Never sent twice: the second one would find the version of the first and report that nothing was changed. */
    private boolean change(String path, String key, String expected, @Nullable String value) {
        return server.post(path, new RegisterCall(key, expected, value), ServerConnection.Repeat.NEVER)
                .as(ChangeAnswer.class)
                .changed();
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return Pages.read(after, limit, (start, most) -> {
            NamesAnswer page = server.get(
                            "/v1/register/keys", "prefix", prefix, "after", start, "limit", Integer.toString(most))
                    .as(NamesAnswer.class);
            return new Pages.Page<>(page.names(), page.next());
        });
    }

    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        Map<String, String> versions = new LinkedHashMap<>();
        Pages.read(after, limit, (start, most) -> {
                    VersionsAnswer page = server.get(
                                    "/v1/register/versions",
                                    "prefix",
                                    prefix,
                                    "after",
                                    start,
                                    "limit",
                                    Integer.toString(most))
                            .as(VersionsAnswer.class);
                    return new Pages.Page<>(List.copyOf(page.versions().entrySet()), page.next());
                })
                .forEach(entry -> versions.put(entry.getKey(), entry.getValue()));
        return versions;
    }
}
