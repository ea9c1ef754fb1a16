package dev.leasehold.simulator;

import java.util.List;

/** The guards that keep the token of a forgotten name from being issued again. */
final class ForgettingMutations {
    static final List<Mutation> ALL = List.of(
            new Mutation(
                    "the floor rises before a name is forgotten",
                    "CasLeaseStore",
                    "raiseFloor(request.seen().value());",
                    ""),
            new Mutation(
                    "a new name starts above the floor",
                    "LeaseRules",
                    "FencingToken.of(Math.addExact(floor, 1))",
                    "FencingToken.of(1)"),
            new Mutation(
                    "only a free name is forgotten",
                    "LeaseRules",
                    "&& !record.deadline().isAfter(storeTime(record, clock));",
                    ";"),
            new Mutation(
                    "a name is forgotten only at the token that was seen",
                    "CasLeaseStore",
                    "if (!register.remove(key, stored.reading().version())) {",
                    "if (!register.remove(key, register.read(key).version())) {"),
            new Mutation(
                    "a new name is reserved before its first grant",
                    "CasLeaseStore",
                    "if (!stored.exists()) {",
                    "if (false) {"));

    private ForgettingMutations() {}
}
