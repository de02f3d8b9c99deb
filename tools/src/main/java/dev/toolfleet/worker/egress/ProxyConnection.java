package dev.toolfleet.worker.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Connection of a command to its proxy, with the connection to a server to which it leads.
///
/// **Threads.** One thread carries the command's bytes, another the server's. Any thread may close it; reads and writes
/// of both end then.
final class ProxyConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyConnection.class);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int BUFFER = 16 * 1024;
    private static final byte[] ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n"
            .getBytes(StandardCharsets.ISO_8859_1);

    /// The alert of TLS that ends a connection (RFC 8446, 6.2), as a record.
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    private final SocketChannel client;
    private final CommandAccount account;
    private final Consumer<ProxyConnection> ended;
    private volatile @Nullable SocketChannel server;
    private volatile boolean closed;
    private volatile boolean headRead;
    private volatile long active = System.nanoTime();

    ProxyConnection(SocketChannel client, CommandAccount account, Consumer<ProxyConnection> ended) {
        this.client = client;
        this.account = account;
        this.ended = ended;
    }

    /// Carries it to its end.
    void run() {
        try {
            ClientStream stream = new ClientStream(client);
            RequestHead head = RequestHead.parse(stream.head());
            headRead = true;
            active = System.nanoTime();
            serve(head, stream);
        } catch (RequestHead.Unreadable e) {
            // Once a server answers, nothing may be put into its answer.
            if (server == null) {
                account.counts().refuse();
                answerQuietly(400, String.valueOf(e.getMessage()));
            }
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("connection of a command ended");
        } finally {
            close();
            ended.accept(this);
        }
    }

    /// Answers that there are too many, and ends it.
    void turnAway() {
        account.counts().refuse();
        answerQuietly(503, "The command, or the worker, has as many connections as it may have; close some.");
        close();
    }

    private void serve(RequestHead head, ClientStream stream) throws IOException, RequestHead.Unreadable {
        Optional<String> refusal = account.isSpent()
                ? Optional.of("The command has sent and received as many bytes as it may (worker.egress.maxBytes).")
                : account.rules().list().refusalToCommand(head.host(), head.port());
        if (refusal.isPresent()) {
            refuse(head, refusal.get());
            return;
        }
        switch (lookedUp(head)) {
            case AddressLookup.Answer.Reachable(List<InetAddress> addresses) -> {
                SocketChannel to = connected(addresses, head.port());
                if (to == null)
                    fail(head);
                else
                    exchange(head, stream, to);
            }
            case AddressLookup.Answer.Forbidden(String reason) -> refuse(head,
                    "'" + head.host().text() + "' may not be reached: the address is " + reason + ".");
            case AddressLookup.Answer.NoPublicHost() -> refuse(head,
                    "'" + head.host().text() + "' is no host that may be reached: no such name, or not a public one.");
            case null -> fail(head);
        }
    }

    /// The addresses of the host; null when no answer came.
    private AddressLookup.@Nullable Answer lookedUp(RequestHead head) {
        try {
            return account.lookUp(head.host());
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("egress of a command failed");
            return null;
        }
    }

    private void refuse(RequestHead head, String reason) throws IOException {
        account.refused(head.host().text() + ":" + head.port());
        answer(403, reason);
    }

    private void fail(RequestHead head) throws IOException {
        account.counts().fail();
        answer(502, "No server answers at '" + head.host().text() + "', port " + head.port() + ".");
    }

    private @Nullable SocketChannel connected(List<InetAddress> addresses, int port) throws IOException {
        for (InetAddress address : addresses) {
            SocketChannel channel = SocketChannel.open();
            server = channel;
            if (closed) {
                channel.close();
                return null;
            }
            try {
                channel.socket().connect(new InetSocketAddress(address, port), (int) CONNECT.toMillis());
                active = System.nanoTime();
                return channel;
            } catch (IOException e) {
                channel.close();
                LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("egress of a command failed");
            }
        }
        return null;
    }

    private void exchange(RequestHead head, ClientStream stream, SocketChannel to)
            throws IOException, RequestHead.Unreadable {
        account.counts().allow();
        if (head.isTunnel())
            write(client, ByteBuffer.wrap(ESTABLISHED));
        Thread answers = Thread.ofVirtual().name("egress-answers").start(() -> answers(to));
        if (head.isTunnel()) {
            if (!asksForItsHost(stream.hello(), head))
                return;
            stream.copyAll(bytes -> carry(to, bytes));
            to.shutdownOutput();
        } else {
            carry(to, ByteBuffer.wrap(head.forServer()));
            switch (head.body()) {
                case RequestHead.Body.Sized(long bytes) -> stream.copy(bytes, part -> carry(to, part));
                case RequestHead.Body.Chunked() -> stream.copyChunks(part -> carry(to, part));
            }
        }
        joined(answers);
    }

    /// True if a tunnel carries no TLS, or TLS for the host to which it leads. Otherwise it answers as a server that does not
    /// have the name. Without a name, a server answers as the host that it likes best, so that is right for an address alone.
    private boolean asksForItsHost(ClientHello hello, RequestHead head) throws IOException {
        boolean right = switch (hello) {
            case ClientHello.NotTls() -> true;
            case ClientHello.Named(String host) -> host.equalsIgnoreCase(head.host().text());
            case ClientHello.Unnamed() -> head.host().literal().isPresent();
            case ClientHello.Unreadable(),ClientHello.Incomplete() -> false;
        };
        if (!right) {
            account.refused(HostName.ifOne(hello instanceof ClientHello.Named(String host) ? host : "")
                    .orElse(head.host()).text() + ":" + head.port());
            write(client, ByteBuffer.wrap(UNRECOGNIZED_NAME));
        }
        return right;
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answers(SocketChannel from) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        try {
            while (from.read(buffer.clear()) >= 0)
                carry(client, buffer.flip());
            client.shutdownOutput();
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("connection of a command ended");
            close();
        }
    }

    private void carry(SocketChannel to, ByteBuffer bytes) throws IOException {
        if (!account.spend(bytes.remaining()))
            throw new IOException("the command's bytes are spent");
        write(to, bytes);
    }

    private void write(SocketChannel to, ByteBuffer bytes) throws IOException {
        active = System.nanoTime();
        while (bytes.hasRemaining())
            to.write(bytes);
        active = System.nanoTime();
    }

    private void answerQuietly(int status, String text) {
        try {
            answer(status, text);
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("connection of a command ended");
        }
    }

    /// Answers in the place of a server. The reason stands in the status line too: of a tunnel that was not opened, clients
    /// show nothing else.
    private void answer(int status, String reason) throws IOException {
        String text = "toolfleet: " + reason;
        byte[] body = (text + "\n").getBytes(StandardCharsets.US_ASCII);
        String head = "HTTP/1.1 " + status + " " + text + "\r\nContent-Type: text/plain\r\nContent-Length: "
                + body.length + "\r\nConnection: close\r\n\r\n";
        write(client, ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
        write(client, ByteBuffer.wrap(body));
    }

    /// Closes it if nothing has moved for too long, or no request has come.
    void closeIfSilent() {
        Duration patience = headRead ? account.rules().bounds().idle() : account.rules().bounds().head();
        if (System.nanoTime() - active > patience.toNanos())
            close();
    }

    @Override
    public void close() {
        closed = true;
        closeChannel(client);
        SocketChannel to = server;
        if (to != null)
            closeChannel(to);
    }

    private static void closeChannel(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("connection of a command ended");
        }
    }
}
