package dev.leasehold.server;

import dev.leasehold.client.message.TargetsAnswer;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;

/** The calls about the targets that are guarded by a lease, as far as its store remembers them. */
final class TargetCalls {
    private final TargetMemory targets;

    TargetCalls(CasRegister register) {
        this.targets = new TargetMemory(register);
    }

    void addTo(Routes routes) {
        routes.get("/v1/targets", Call.answering(this::list), "name");
    }

    private Answer list(ApiRequest request) {
        LeaseName name = request.name();
        return Answer.of(new TargetsAnswer(
                targets.of(name).stream().map(TargetCalls::part).toList()));
    }

    private static TargetsAnswer.TargetPart part(KnownTarget target) {
        return new TargetsAnswer.TargetPart(
                target.place(), target.host(), target.fence(), target.raised().value(), target.at());
    }
}
