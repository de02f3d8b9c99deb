package dev.toolfleet.worker.tools.httpfetch;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/// Connection of one request to a given address: sends it and reads the answer. It follows, remembers, repeats and
/// authenticates nothing, and uses no proxy.
///
/// @param tls what secures connections
record Connector(TlsSocketStrategy tls) {
    private static final int MAX_HEADERS = 100;
    private static final int MAX_HEADER_LINE = 8192;
    private static final int BUFFER = 8192;
    private static final ManagedHttpClientConnectionFactory CONNECTIONS = ManagedHttpClientConnectionFactory.builder()
            .http1Config(Http1Config.custom().setMaxHeaderCount(MAX_HEADERS).setMaxLineLength(MAX_HEADER_LINE).build())
            .build();

    /// Next step of a fetch after an answer.
    sealed interface Step {
        /// To the end.
        record Answered(FetchAnswer answer) implements Step {}

        /// To another request.
        record Redirected(Request next) implements Step {}
    }

    /// Bounds on the body that is read and on the part of it that a result holds.
    ///
    /// @param maxBytes bytes after decompression
    /// @param maxSize bytes of JSON
    record Limits(int maxBytes, int maxSize) {}

    /// Sends the request.
    ///
    /// @param addresses the ones to connect to, in this order
    /// @param patience with a silent server; the whole exchange has to be bounded by the caller
    /// @param socket ends the exchange when it is cut
    Step send(Request request, List<InetAddress> addresses, Duration patience, Limits limits, FetchSocket socket)
            throws IOException {
        CloseableHttpClient client = client(new Checked(addresses), Timeout.of(patience), socket);
        try {
            Target target = request.target();
            ClassicHttpResponse response = client.executeOpen(
                    new HttpHost(target.scheme(), bare(target.host()), target.port()), message(request), null);
            Optional<Request> next = request.redirected(response.getCode(), value(response, "location"));
            return next.isPresent() ? new Step.Redirected(next.get()) : answered(request, response, limits);
        } finally {
            // Not gracefully, which would read to the end of a body that may have none.
            client.close(CloseMode.IMMEDIATE);
        }
    }

    private static Step answered(Request request, ClassicHttpResponse response, Limits limits) throws IOException {
        HttpEntity entity = response.getEntity();
        byte[] bytes = entity == null ? new byte[0] : read(entity, response, limits.maxBytes() + 1);
        boolean more = bytes.length > limits.maxBytes();
        Content content = Content.of(more ? Arrays.copyOf(bytes, limits.maxBytes()) : bytes, more,
                value(response, "content-type"), limits.maxSize());
        return new Step.Answered(
                new FetchAnswer(request, response.getCode(), Objects.requireNonNullElse(response.getReasonPhrase(), ""),
                        FetchAnswer.headers(List.of(response.getHeaders())), content));
    }

    private static byte[] read(HttpEntity entity, ClassicHttpResponse response, int atMost) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER];
        String coding = value(response, "content-encoding");
        // Only to free the decompressor: the body itself is not closed, which would read to its end.
        try (InputStream body = ContentCoding.decoded(new Unclosed(entity.getContent()), coding)) {
            int count = 0;
            while (count >= 0 && read.size() < atMost) {
                count = body.read(buffer, 0, Math.min(buffer.length, atMost - read.size()));
                read.write(buffer, 0, Math.max(0, count));
            }
        }
        return read.toByteArray();
    }

    private static HttpUriRequestBase message(Request request) {
        HttpUriRequestBase message = new HttpUriRequestBase(request.method(), URI.create(request.target().url()));
        request.headers().orElse("accept", "*/*").values().forEach(message::setHeader);
        message.setHeader("accept-encoding", ContentCoding.ACCEPTED);
        request.body().ifPresent(
                body -> message.setEntity(new StringEntity(body.text(), null, StandardCharsets.UTF_8.name(), false)));
        return message;
    }

    private CloseableHttpClient client(DnsResolver addresses, Timeout patience, FetchSocket socket) {
        BasicHttpClientConnectionManager connections = new BasicHttpClientConnectionManager(
                new DefaultHttpClientConnectionOperator(proxy -> socket.open(), null, addresses,
                        RegistryBuilder.<TlsSocketStrategy>create().register("https", tls).build()),
                CONNECTIONS);
        connections.setConnectionConfig(
                ConnectionConfig.custom().setConnectTimeout(patience).setSocketTimeout(patience).build());
        return HttpClientBuilder.create().setConnectionManager(connections).setUserAgent("toolfleet-http-fetch")
                .setDefaultRequestConfig(RequestConfig.custom().setResponseTimeout(patience)
                        .setAuthenticationEnabled(false).setProtocolUpgradeEnabled(false).build())
                .disableRedirectHandling().disableAutomaticRetries().disableCookieManagement()
                .disableContentCompression().disableAuthCaching().build();
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static @Nullable String value(ClassicHttpResponse response, String name) {
        Header header = response.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }

    /// Answers every question for addresses with those that were checked.
    private record Checked(List<InetAddress> addresses) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) {
            return addresses.toArray(InetAddress[]::new);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    /// A stream that others cannot close.
    private static final class Unclosed extends FilterInputStream {
        Unclosed(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // The connection is closed instead.
        }
    }
}
