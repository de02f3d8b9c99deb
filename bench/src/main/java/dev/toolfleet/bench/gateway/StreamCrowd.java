package dev.toolfleet.bench.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Readers of event streams, each with a connection of its own, that have their first event and wait for the next.
final class StreamCrowd implements AutoCloseable {
    private static final int OPENED_AT_A_TIME = 64;
    private static final int TIMEOUT_MILLIS = 60_000;

    private final List<Socket> sockets;

    private StreamCrowd(List<Socket> sockets) {
        this.sockets = sockets;
    }

    /// Opens streams of these calls, in turn.
    ///
    /// @throws IOException when the gateway refuses one
    static StreamCrowd open(URI gateway, List<String> calls, int count) throws IOException, InterruptedException {
        StreamCrowd crowd = new StreamCrowd(new ArrayList<>());
        Semaphore opened = new Semaphore(OPENED_AT_A_TIME);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Socket>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String call = calls.get(i % calls.size());
                opened.acquire();
                all.add(threads.submit(() -> {
                    try {
                        return stream(gateway, call);
                    } finally {
                        opened.release();
                    }
                }));
            }
            for (Future<Socket> one : all)
                crowd.sockets.add(one.get());
            return crowd;
        } catch (ExecutionException e) {
            crowd.close();
            throw new IOException("a stream was not opened: " + e.getCause(), e);
        }
    }

    private static Socket stream(URI gateway, String call) throws IOException {
        Socket socket = new Socket(gateway.getHost(), gateway.getPort());
        try {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(("GET /v1/calls/" + call + "/events HTTP/1.1\r\nHost: " + gateway.getHost()
                    + ":" + gateway.getPort() + "\r\nAccept: text/event-stream\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 512);
            String status = Optional.ofNullable(reader.readLine()).orElse("nothing");
            if (!status.contains(" 200"))
                throw new IOException("the gateway answered with " + status);
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("event: "))
                    return socket;
            }
            throw new IOException("the stream ended before its first event");
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    int size() {
        return sockets.size();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets)
            socket.close();
    }
}
