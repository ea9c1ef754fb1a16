package dev.leasehold.server;

import java.util.function.Function;

/** What the server does for one kind of request. It runs on a thread that may wait for the store. */
interface Call {
    /** Sends an answer to the reply, now or later. An exception becomes a problem. */
    void serve(ApiRequest request, Reply reply);

    static Call answering(Function<ApiRequest, Answer> answer) {
        return (request, reply) -> reply.send(answer.apply(request));
    }
}
