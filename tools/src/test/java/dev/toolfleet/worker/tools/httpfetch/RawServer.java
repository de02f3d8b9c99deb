package dev.toolfleet.worker.tools.httpfetch;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server on this machine that writes just the bytes that a test wants, and remembers what it was sent.
final class RawServer implements AutoCloseable {
    /// The path at which every server hears but never speaks.
    static final String SILENT = "/silent";

    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: (\\d+)");

    private final ServerSocket socket;
    private final Page page;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    /// A request.
    ///
    /// @param head request line and headers
    record Seen(String head, String body) {
        String path() {
            return head.split(" ", 3)[1];
        }

        String method() {
            return head.split(" ", 3)[0];
        }

        boolean says(String headerLine) {
            return head.toLowerCase(Locale.ROOT).lines().anyMatch(headerLine::equals);
        }
    }

    /// Answer of the server; the connection is closed afterwards.
    interface Page {
        void write(Seen request, OutputStream out) throws Exception;
    }

    RawServer(ServerSocket socket, Page page) {
        this.socket = socket;
        this.page = page;
        Thread.ofVirtual().name("contract-server").start(this::accept);
    }

    /// On a free port.
    static RawServer on(String address, Page page) throws IOException {
        return on(address, 0, page);
    }

    static RawServer on(String address, int port, Page page) throws IOException {
        return new RawServer(new ServerSocket(port, 50, InetAddress.ofLiteral(address)), page);
    }

    /// A whole answer.
    static Page answering(String head, byte[] body) {
        return (request, out) -> out.write(bytes("HTTP/1.1 " + head + "\r\ncontent-length: " + body.length
                + "\r\n\r\n", body));
    }

    static Page answering(String head, String body) {
        return answering(head, body.getBytes(StandardCharsets.UTF_8));
    }

    static Page redirecting(String location) {
        return answering("302 Found\r\nlocation: " + location, "");
    }

    static byte[] bytes(String head, byte[] body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(body);
        return bytes.toByteArray();
    }

    int port() {
        return socket.getLocalPort();
    }

    String url(String path) {
        return "http://" + socket.getInetAddress().getHostAddress() + ":" + port() + path;
    }

    List<Seen> seen() {
        return seen;
    }

    int accepted() {
        return accepted.get();
    }

    int open() {
        return open.get();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                accepted.incrementAndGet();
                open.incrementAndGet();
                Thread.ofVirtual().name("contract-server").start(() -> serve(connection));
            } catch (IOException e) {
                return; // Closed.
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            Seen request = read(in);
            seen.add(request);
            if (!request.path().equals(SILENT)) {
                page.write(request, connection.getOutputStream());
                connection.shutdownOutput();
            }
            in.transferTo(OutputStream.nullOutputStream());
        } catch (Exception e) {
            // The client went away, or never spoke.
        } finally {
            open.decrementAndGet();
        }
    }

    private static Seen read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0)
                throw new IOException("ended in the head");
            head.append((char) b);
        }
        Matcher length = LENGTH.matcher(head);
        byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        return new Seen(head.toString(), new String(body, StandardCharsets.UTF_8));
    }
}
