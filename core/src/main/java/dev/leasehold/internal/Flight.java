package dev.leasehold.internal;

import java.util.ArrayList;
import java.util.List;

/** One call of a {@link Combiner}, and the requests that wait for its end because their keys are in it. */
final class Flight<Q, A> {
    final List<Pending<Q, A>> requests;
    final List<Pending<Q, A>> behind = new ArrayList<>(0);

    Flight(List<Pending<Q, A>> requests) {
        this.requests = requests;
    }

    void add(Pending<Q, A> request) {
        request.patience = Combiner.SECOND;
        behind.add(request);
    }
}
