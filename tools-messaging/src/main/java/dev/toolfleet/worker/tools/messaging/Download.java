package dev.toolfleet.worker.tools.messaging;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.tool.ToolException;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;

/// Download of one file of a service. Each step, also a redirect, goes over https to a host of the service, or to the
/// place to which the operator moved the API. The checked address is exactly the one that is used. The service's
/// libraries have no such check, and read files without a limit.
///
/// @param bearer whether the token goes with it in a header
/// @param maxBytes the most that is read
public record Download(Session session, Hosts hosts, boolean bearer, int maxBytes) {
    private static final int MAX_REDIRECTS = 3;
    private static final int BUFFER = 1 << 16;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final int OK = 200;

    /// Which hosts belong to the service.
    @FunctionalInterface
    public interface Hosts {
        /// True if the host, in lower case, is one of the service's own.
        boolean contains(String host);
    }

    /// Fetches it.
    ///
    /// @param url absolute
    /// @throws ToolException when it may not be fetched, is too large, or the service refuses it
    public FetchedFile fetch(String url) throws InterruptedException {
        HttpUrl first = HttpUrl.parse(url);
        if (first == null)
            throw refused("The file's address is no URL that begins with https://");
        return session.exchange("file download", RepeatEffect.REPEATABLE,
                exchange -> follow(exchange.streams(), first));
    }

    private FetchedFile follow(OkHttpClient client, HttpUrl first) throws IOException, RateLimited {
        HttpUrl url = first;
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            check(url);
            Request.Builder request = new Request.Builder().url(url).header("Accept-Encoding", "identity");
            if (bearer)
                request.header("Authorization", "Bearer " + session.access().token().value());
            try (Response response = client.newCall(request.build()).execute()) {
                String location = response.header("Location");
                if (!REDIRECTS.contains(response.code()) || location == null)
                    return file(response, redirects > 0);
                HttpUrl next = url.resolve(location);
                if (next == null)
                    throw refused(session.provider().name() + " redirects the file to an address that is no URL");
                url = next;
            }
        }
        throw session.provider().refusal("file download", "more than " + MAX_REDIRECTS + " redirects",
                "Tell the user that the file cannot be fetched.");
    }

    private void check(HttpUrl url) {
        boolean operators = session.access().base().isOrigin(url.scheme(), url.host(), url.port());
        boolean services = url.isHttps() && url.port() == HttpUrl.defaultPort("https") && hosts.contains(url.host());
        boolean user = !url.username().isEmpty() || !url.password().isEmpty();
        if (user || !(operators || services))
            throw refused("Files are fetched over https from hosts of " + session.provider().name()
                    + " only, and not from '" + url.scheme() + "://" + url.host() + "'");
    }

    private FetchedFile file(Response response, boolean redirected) throws IOException, RateLimited {
        if (RateLimited.is(response.code()))
            throw RateLimited.until(response.header("Retry-After"));
        if (response.code() != OK)
            throw session.provider().refusal("file download",
                    ("HTTP " + response.code() + " " + session.access().token().hide(response.message())).strip(),
                    "Check that the address or id is the one from the message, and that the bot may see the file.");
        ResponseBody body = response.body();
        if (body == null)
            throw new IOException("an answer without a body");
        if (body.contentLength() > maxBytes)
            throw tooLarge(body.contentLength());
        return new FetchedFile(read(body.byteStream()), headers(response.headers()), body.contentLength(), redirected);
    }

    private byte[] read(InputStream body) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER];
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
            read.write(buffer, 0, count);
            if (read.size() > maxBytes)
                throw tooLarge(read.size());
            // A server that sends without a pause never lets the thread wait, where an interrupt would reach it.
            if (Thread.currentThread().isInterrupted())
                throw new InterruptedIOException("interrupted while a file was read");
        }
        return read.toByteArray();
    }

    /// Names in lower case.
    private Map<String, String> headers(Headers headers) {
        Map<String, String> shown = new LinkedHashMap<>();
        for (String name : headers.names()) {
            @Nullable
            String value = headers.get(name);
            if (value != null)
                shown.put(name.toLowerCase(Locale.ROOT), session.access().token().hide(value));
        }
        return shown;
    }

    /// That the file is larger than the call wants it.
    public ToolException tooLarge(long size) {
        return session.provider().error("TOO_LARGE", session.provider().name() + " file exceeds maxBytes limit (" + size
                + " > " + maxBytes + ")",
                "Call again with a larger maxBytes, at most " + FileRequest.MAX_BYTES
                        + ", if you need the file.");
    }

    private ToolException refused(String message) {
        return session.provider().error("REFUSED", session.access().token().hide(message) + ".",
                "Use the address or id that a message of " + session.provider().name() + " gives.");
    }
}
