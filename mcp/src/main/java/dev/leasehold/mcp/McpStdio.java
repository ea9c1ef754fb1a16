package dev.leasehold.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client, with one message on each line. Calls of tools are made one after the other, in the
 * order in which they arrive; everything else is answered at once.
 */
public final class McpStdio {
    /** The longest line. A longer one is skipped and refused. */
    static final int MAX_LINE = 8 * 1024 * 1024;

    private static final int MOST_WAITING = 256;
    private static final long LAST_ANSWERS_MILLIS = 10_000;

    private final McpService service;
    private final McpCaller caller;
    private final InputStream in;
    private final OutputStream out;
    private final Map<Object, Pending> pending = new HashMap<>();
    private final BlockingQueue<Pending> waiting = new ArrayBlockingQueue<>(MOST_WAITING + 1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** A call that has no answer yet. */
    private static final class Pending {
        private final Message.@Nullable Request request;
        private boolean cancelled;

        /** @param request null after the last one */
        Pending(Message.@Nullable Request request) {
            this.request = request;
        }
    }

    /** @param out gets messages of the protocol and nothing else */
    public McpStdio(McpService service, McpCaller caller, InputStream in, OutputStream out) {
        this.service = service;
        this.caller = caller;
        this.in = in;
        this.out = out;
    }

    /**
     * Answers until the input ends, the output cannot be written, or {@link #stop} is called. Calls
     * that have arrived by then are answered, within ten seconds.
     */
    public void serve() throws InterruptedException {
        Thread worker = thread("leasehold-mcp-calls", this::work);
        Thread reader = thread("leasehold-mcp-input", this::read);
        worker.start();
        reader.start();
        ended.await();
        waiting.put(new Pending(null));
        worker.join(LAST_ANSWERS_MILLIS);
    }

    /** Ends {@link #serve} soon, from any thread. */
    public void stop() {
        ended.countDown();
    }

    /** A thread that waits for input or for a store must not keep the program from ending. */
    private static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void read() {
        try {
            new Lines(in, MAX_LINE).forEach(this::receive, this::refuseLine);
        } catch (IOException e) {
            // The client is gone.
        } finally {
            stop();
        }
    }

    private void refuseLine() {
        send(RpcAnswer.of(
                null,
                RpcError.of(
                        RpcError.INVALID_REQUEST, "the message has more than " + MAX_LINE + " bytes and is ignored")));
    }

    private void receive(byte[] line) {
        Message message = Message.read(line);
        if (message instanceof Message.Request request) {
            receive(request);
        } else if (message instanceof Message.Unusable unusable) {
            send(RpcAnswer.of(unusable.id(), unusable.error()));
        } else if (message instanceof Message.Notification notification
                && notification.method().equals("notifications/cancelled")) {
            cancel(notification.params().get("requestId"));
        }
    }

    private void receive(Message.Request request) {
        RpcError problem = null;
        boolean isCall = request.method().equals("tools/call");
        synchronized (pending) {
            if (pending.containsKey(request.id())) {
                problem = RpcError.of(
                        RpcError.INVALID_REQUEST,
                        "the id belongs to a request that has no answer yet; nothing was done");
            } else if (isCall && pending.size() >= MOST_WAITING) {
                problem = RpcError.of(
                        RpcError.INTERNAL, MOST_WAITING + " requests wait for an answer; nothing was done, try later");
            } else if (isCall) {
                Pending call = new Pending(request);
                pending.put(request.id(), call);
                waiting.add(call);
                return;
            }
        }
        send(problem == null ? service.answer(request, caller) : RpcAnswer.of(request.id(), problem));
    }

    private void cancel(@Nullable Object id) {
        synchronized (pending) {
            Pending call = id == null ? null : pending.get(id);
            if (call != null) {
                call.cancelled = true;
            }
        }
    }

    private void work() {
        try {
            for (Pending call = waiting.take(); call.request != null; call = waiting.take()) {
                answer(call, call.request);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A call that was cancelled gets no answer. If it was made already, what only its answer tells is undone. */
    private void answer(Pending call, Message.Request request) {
        RpcAnswer answer = isCancelled(call) ? null : service.answer(request, caller);
        boolean cancelled;
        synchronized (pending) {
            pending.remove(request.id());
            cancelled = call.cancelled;
        }
        if (answer != null && (cancelled || !send(answer))) {
            undo(answer);
        }
    }

    /** Best effort: what cannot be undone ends with its ttl. */
    @SuppressWarnings("CatchingUnchecked")
    private static void undo(RpcAnswer answer) {
        try {
            answer.undelivered().run();
        } catch (RuntimeException | Error e) {
            System.getLogger("dev.leasehold")
                    .log(System.Logger.Level.DEBUG, "an answer that was lost was not undone", e);
        }
    }

    private boolean isCancelled(Pending call) {
        synchronized (pending) {
            return call.cancelled;
        }
    }

    /** False if the client is gone. */
    private boolean send(RpcAnswer answer) {
        byte[] json = answer.toJson();
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        synchronized (out) {
            try {
                out.write(line);
                out.flush();
                if (!(out instanceof PrintStream print && print.checkError())) {
                    return true;
                }
            } catch (IOException e) {
                // As below.
            }
        }
        stop();
        return false;
    }

    /** The lines of a stream, of bounded length. */
    private static final class Lines {
        private final InputStream in;
        private final int longest;

        Lines(InputStream in, int longest) {
            this.in = in;
            this.longest = longest;
        }

        /** @param tooLong is told of each line that is skipped */
        void forEach(Consumer<byte[]> line, Runnable tooLong) throws IOException {
            byte[] chunk = new byte[8192];
            ByteArrayOutputStream begun = new ByteArrayOutputStream();
            boolean skipping = false;
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                int from = 0;
                for (int i = 0; i < length; i++) {
                    if (chunk[i] == '\n') {
                        if (!skipping) {
                            begun.write(chunk, from, i - from);
                            end(begun, line);
                        }
                        skipping = false;
                        from = i + 1;
                    }
                }
                if (!skipping) {
                    begun.write(chunk, from, length - from);
                }
                if (begun.size() > longest) {
                    begun = new ByteArrayOutputStream();
                    skipping = true;
                    tooLong.run();
                }
            }
            end(begun, line);
        }

        private static void end(ByteArrayOutputStream begun, Consumer<byte[]> line) {
            byte[] bytes = begun.toByteArray();
            begun.reset();
            for (byte b : bytes) {
                if (b != ' ' && b != '\t' && b != '\r') {
                    line.accept(bytes);
                    return;
                }
            }
        }
    }
}
