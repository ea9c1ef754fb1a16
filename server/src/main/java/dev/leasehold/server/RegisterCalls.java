package dev.leasehold.server;

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

/** The register, in which clients in Java keep work items, slots and targets. */
final class RegisterCalls {
    /** A value of the greatest length, with every character escaped. */
    private static final int MAX_BODY = 6 * CasRegister.MAX_VALUE_BYTES + Routes.MAX_BODY;

    private final CasRegister register;

    RegisterCalls(CasRegister register) {
        this.register = register;
    }

    void addTo(Routes routes) {
        routes.get("/v1/register", Call.answering(this::read), "key")
                .get("/v1/register/keys", Call.answering(this::keys), "prefix", "after", "limit")
                .get("/v1/register/versions", Call.answering(this::versions), "prefix", "after", "limit")
                .post("/v1/register/set", Role.HOLDER, MAX_BODY, Call.answering(this::set))
                .post("/v1/register/remove", Role.HOLDER, Call.answering(this::remove));
    }

    private static String key(ApiRequest request, String key) {
        CasRegister.requireKey(key);
        RegisterAccess.require(request.caller(), key);
        return key;
    }

    private Answer read(ApiRequest request) {
        String key = key(request, request.parameter("key"));
        return Answer.of(RegisterAnswer.of(key, register.read(key)));
    }

    private Answer keys(ApiRequest request) {
        VersionsAnswer page = page(request);
        return Answer.of(new NamesAnswer(List.copyOf(page.versions().keySet()), page.next()));
    }

    private Answer versions(ApiRequest request) {
        return Answer.of(page(request));
    }

    /** Keys that are for nobody are left out, so that a page may be shorter than its limit. */
    private VersionsAnswer page(ApiRequest request) {
        int limit = request.limit();
        String prefix = RegisterAccess.narrowed(request.caller(), request.parameter("prefix", ""));
        Map<String, String> page =
                prefix == null ? Map.of() : register.versions(prefix, request.parameter("after", ""), limit);
        Map<String, String> seen = new LinkedHashMap<>(page);
        seen.keySet().removeIf(key -> !RegisterAccess.allows(request.caller(), key));
        return new VersionsAnswer(seen, ReadCalls.next(limit, List.copyOf(page.keySet())));
    }

    private Answer set(ApiRequest request) {
        RegisterCall call = request.body(RegisterCall.class);
        String value = call.value();
        if (value == null) {
            throw new BadRequestException("the field 'value' is missing");
        }
        String key = key(request, call.key());
        RegisterAccess.requireForChange(request.caller(), key);
        CasRegister.requireValue(value);
        return changed(register.compareAndSet(key, call.expected(), value));
    }

    private Answer remove(ApiRequest request) {
        RegisterCall call = request.body(RegisterCall.class);
        refuse(call.value());
        String key = key(request, call.key());
        RegisterAccess.requireForChange(request.caller(), key);
        return changed(register.remove(key, call.expected()));
    }

    private static Answer changed(boolean isChanged) {
        return Answer.of(new ChangeAnswer(isChanged));
    }

    private static void refuse(@Nullable String value) {
        if (value != null) {
            throw new BadRequestException("the field 'value' does not belong here");
        }
    }
}
