package dev.toolfleet.gateway.webhook;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// One POST request over a connection of its own, and the status of its answer.
///
/// **Why.** The clients of the JDK look names up by themselves, so they would connect to addresses that have not been
/// checked. Of the answer only its head is read, at most [#MAX_HEAD] bytes: nothing else is needed, and a receiver that
/// sends without end costs nothing. A connection for each request needs no proof under which settings it was checked.
final class WebhookPost {
    /// Most bytes that are read of an answer.
    static final int MAX_HEAD = 16 * 1024;
    /// The time for one connection.
    static final Duration CONNECT = Duration.ofSeconds(4);
    private static final int MAX_ADDRESSES = 3;
    private static final int BUFFER = 512;
    private static final int FINAL = 200;
    private static final String LINE = "\r\n";

    private final SSLSocketFactory tls;
    private final ScheduledExecutorService timer;

    /// @param timer closes the sockets whose time is over
    WebhookPost(SSLSocketFactory tls, ScheduledExecutorService timer) {
        this.tls = tls;
        this.timer = timer;
    }

    /// Sends a body and returns the status.
    ///
    /// @param addresses the checked addresses of the URL's host
    /// @param headers in ASCII, without line breaks
    /// @param within the time for everything
    /// @throws IOException when there is no status in time
    int post(WebhookUrl url, List<InetAddress> addresses, Map<String, String> headers, byte[] body, Duration within)
            throws IOException {
        long end = System.nanoTime() + within.toNanos();
        try (Socket socket = connected(addresses, url.port(), end)) {
            Future<?> alarm = timer.schedule(() -> close(socket), end - System.nanoTime(), TimeUnit.NANOSECONDS);
            try (Socket stream = url.secure() ? secured(socket, url) : socket) {
                stream.setSoTimeout(Math.max(1, (int) within.toMillis()));
                OutputStream out = stream.getOutputStream();
                out.write(head(url, headers, body.length));
                out.write(body);
                out.flush();
                return status(new BufferedInputStream(stream.getInputStream(), BUFFER));
            } finally {
                alarm.cancel(false);
            }
        }
    }

    private static Socket connected(List<InetAddress> addresses, int port, long end) throws IOException {
        IOException last = new IOException("no address");
        for (InetAddress address : addresses.subList(0, Math.min(addresses.size(), MAX_ADDRESSES))) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0)
                break;
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), (int) Math.min(left, CONNECT.toMillis()));
                return socket;
            } catch (IOException e) {
                close(socket);
                last = e;
            }
        }
        throw last;
    }

    /// Checks that the certificate is that of the URL's host, not of the address.
    private Socket secured(Socket plain, WebhookUrl url) throws IOException {
        String host = url.host().text();
        SSLSocket secured = (SSLSocket) tls.createSocket(plain,
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host, url.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static byte[] head(WebhookUrl url, Map<String, String> headers, int length) {
        StringBuilder head = new StringBuilder("POST ").append(url.path()).append(" HTTP/1.1").append(LINE)
                .append("Host: ").append(url.authority()).append(LINE);
        headers.forEach((name, value) -> head.append(name).append(": ").append(value).append(LINE));
        return head.append("Content-Length: ").append(length).append(LINE).append("Connection: close").append(LINE)
                .append(LINE).toString().getBytes(StandardCharsets.US_ASCII);
    }

    /// Reads heads up to the first that is no interim answer (1xx).
    private static int status(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int read = 0; read < MAX_HEAD; read++) {
            int next = in.read();
            if (next < 0)
                break;
            head.append((char) next);
            if (!endsWith(head, LINE + LINE) && !endsWith(head, "\n\n"))
                continue;
            int status = ofLine(head);
            if (status >= FINAL)
                return status;
            head.setLength(0);
        }
        return ofLine(head);
    }

    private static boolean endsWith(StringBuilder text, String end) {
        return text.length() >= end.length() && text.substring(text.length() - end.length()).equals(end);
    }

    private static int ofLine(StringBuilder head) throws IOException {
        String text = head.substring(0, Math.min(head.length(), "HTTP/1.1 200".length()));
        if (!text.matches("HTTP/1\\.[01] [1-5]\\d\\d"))
            throw new IOException(head.isEmpty() ? "the receiver closed the connection" : "the answer is no HTTP/1.1");
        return Integer.parseInt(text.substring(text.length() - 3));
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }
}
