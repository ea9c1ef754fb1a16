package dev.leasehold.client;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, whose end is awaited apart from its headers: the timeout of a request of
 * the JDK's client ends with the headers, and a server can stop between the two.
 */
final class AwaitedBody implements HttpResponse.BodySubscriber<AwaitedBody> {
    private final HttpResponse.BodySubscriber<byte[]> body = HttpResponse.BodySubscribers.ofByteArray();
    private volatile Flow.@Nullable Subscription subscription;

    /** The bytes, when all of them have arrived. */
    CompletableFuture<byte[]> bytes() {
        return body.getBody().toCompletableFuture();
    }

    /** Gives the connection up if the body has not ended. */
    void cancel() {
        Flow.Subscription begun = subscription;
        if (begun != null) {
            begun.cancel();
        }
    }

    @Override
    public CompletionStage<AwaitedBody> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        body.onSubscribe(begun);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
        body.onNext(part);
    }

    @Override
    public void onError(Throwable failure) {
        body.onError(failure);
    }

    @Override
    public void onComplete() {
        body.onComplete();
    }
}
