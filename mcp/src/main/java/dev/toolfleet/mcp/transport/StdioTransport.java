package dev.toolfleet.mcp.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.mcp.rpc.Line;
import dev.toolfleet.mcp.rpc.LineReader;
import dev.toolfleet.mcp.rpc.RpcCodec;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.rpc.UnreadableMessage;
import org.jspecify.annotations.Nullable;

/// Transport over the standard streams of a process, one message a line. The caller starts and ends the process.
///
/// **Contract.** At most [#QUEUE] messages wait for a server that does not read; further ones are not sent.
///
/// **Threads.** A platform thread reads and one writes. Otherwise: reads of pipes hold the carriers of virtual threads.
public final class StdioTransport implements Transport {
    /// The largest number of messages that wait.
    static final int QUEUE = 256;

    private final InputStream in;
    private final OutputStream out;
    private final RpcCodec codec;
    private final BlockingQueue<QueuedLine> queue = new ArrayBlockingQueue<>(QUEUE);
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable Thread writer;

    /// A transport over these streams.
    ///
    /// @param in the process's standard output
    /// @param out the process's standard input
    public StdioTransport(InputStream in, OutputStream out, RpcCodec codec) {
        this.in = in;
        this.out = out;
        this.codec = codec;
    }

    @Override
    public void open(Receiver receiver) {
        Thread.ofPlatform().daemon().name("mcp-read").start(() -> read(receiver));
        writer = Thread.ofPlatform().daemon().name("mcp-write").start(() -> write(receiver));
    }

    @Override
    public Dispatch send(RpcMessage message, Map<String, String> headers) {
        QueuedLine line = new QueuedLine(codec.write(message));
        if (closed.get() || !queue.offer(line))
            line.withdraw();
        return line;
    }

    @Override
    public boolean cancelsByClose() {
        return false;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true))
            return;
        Thread writing = writer;
        if (writing != null)
            writing.interrupt();
        try {
            out.close();
        } catch (IOException e) {
            // The process has gone.
        }
    }

    private void end(Receiver receiver, String reason) {
        if (closed.get())
            return;
        close();
        receiver.closed(reason);
    }

    private void read(Receiver receiver) {
        LineReader lines = new LineReader(in, codec.limits().maxBytes());
        try {
            for (Line line = lines.next(); line != null && !closed.get(); line = lines.next())
                take(line, receiver);
            end(receiver, "the server closed its output");
        } catch (IOException e) {
            end(receiver, "the server's output cannot be read: " + e.getMessage());
        } catch (RuntimeException e) {
            end(receiver, "a message of the server cannot be handled: " + e);
        }
    }

    private void take(Line line, Receiver receiver) {
        switch (line) {
            case Line.Whole(byte[] bytes) -> {
                try {
                    receiver.received(codec.read(bytes));
                } catch (UnreadableMessage e) {
                    receiver.unreadable(e.error().message());
                }
            }
            case Line.TooLong(RpcId id, long bytes) -> {
                String reason = "a message of " + bytes + " bytes; at most " + codec.limits().maxBytes()
                        + " are accepted";
                if (id == null)
                    receiver.unreadable(reason);
                else
                    receiver.unanswered(id, new NoAnswer.Unreadable(reason));
            }
        }
    }

    private void write(Receiver receiver) {
        try {
            while (!closed.get()) {
                QueuedLine line = queue.take();
                if (!line.leave())
                    continue;
                out.write(line.bytes);
                out.write('\n');
                if (queue.isEmpty())
                    out.flush();
            }
        } catch (InterruptedException e) {
            // Closed.
        } catch (IOException e) {
            end(receiver, "the server's input cannot be written: " + e.getMessage());
        }
    }

    /// Line that waits for the writer.
    private static final class QueuedLine implements Dispatch {
        private enum State {
            QUEUED, LEFT, WITHDRAWN
        }

        private final byte[] bytes;
        private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);

        QueuedLine(byte[] bytes) {
            this.bytes = bytes;
        }

        boolean leave() {
            return state.compareAndSet(State.QUEUED, State.LEFT);
        }

        @Override
        public boolean withdraw() {
            return state.compareAndSet(State.QUEUED, State.WITHDRAWN) || state.get() == State.WITHDRAWN;
        }

        @Override
        public void abandon() {
            withdraw();
        }
    }
}
