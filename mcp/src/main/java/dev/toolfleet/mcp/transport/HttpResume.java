package dev.toolfleet.mcp.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.SseReader;
import org.jspecify.annotations.Nullable;

/// GET streams of the legacy era: the one of a session, and the rest of a response that was cut. Both go on behind the
/// last event that arrived (`Last-Event-ID`).
///
/// **Threads.** The thread of the stream waits and reads.
final class HttpResume {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final int MOST_WITHOUT_NEWS = 5;
    private static final int NOT_OFFERED = 405;
    /// No request has it: the session's stream has no answer at which it ends.
    private static final RpcId NO_REQUEST = new RpcId.Text("");

    private final HttpChannel channel;
    private final Supplier<Map<String, String>> conversation;

    HttpResume(HttpChannel channel, Supplier<Map<String, String>> conversation) {
        this.channel = channel;
        this.conversation = conversation;
    }

    /// Reads the rest of a response up to the answer.
    ///
    /// @return false if the stream cannot be resumed, or five attempts brought nothing new
    boolean finish(SseReader cut, HttpAnswer answer, HttpPost post) throws IOException {
        String lastId = cut.lastId();
        Duration wait = cut.retry() == null ? FIRST_WAIT : cut.retry();
        int withoutNews = 0;
        while (lastId != null && withoutNews < MOST_WITHOUT_NEWS && !post.isAbandoned()) {
            if (!sleep(wait))
                return false;
            HttpResponse<InputStream> response = get(lastId);
            if (response == null || !isStream(response)) {
                withoutNews++;
                continue;
            }
            post.keep(response.body());
            SseReader events = new SseReader(response.body(), channel.codec().limits().maxBytes());
            try {
                if (answer.readEvents(events))
                    return true;
            } catch (IOException e) {
                // Cut again.
            }
            withoutNews = events.lastId() == null || events.lastId().equals(lastId) ? withoutNews + 1 : 0;
            lastId = events.lastId() == null ? lastId : events.lastId();
            wait = events.retry() == null ? wait : events.retry();
        }
        return false;
    }

    /// Follows the stream of the session until it is closed or not offered.
    void follow(Receiver receiver, BooleanSupplier closed) {
        HttpAnswer messages = new HttpAnswer(channel, NO_REQUEST, receiver);
        String lastId = null;
        Duration wait = FIRST_WAIT;
        while (!closed.getAsBoolean()) {
            HttpResponse<InputStream> response = get(lastId);
            if (response != null && response.statusCode() == NOT_OFFERED)
                return;
            if (response != null && isStream(response)) {
                SseReader events = new SseReader(response.body(), channel.codec().limits().maxBytes());
                try {
                    messages.readEvents(events);
                } catch (IOException | UncheckedIOException e) {
                    // Cut; it is opened again.
                }
                lastId = events.lastId() == null ? lastId : events.lastId();
                wait = events.retry() == null ? FIRST_WAIT : events.retry();
            } else {
                wait = longer(wait);
            }
            if (!sleep(wait))
                return;
        }
    }

    private static Duration longer(Duration wait) {
        Duration twice = wait.isZero() ? FIRST_WAIT : wait.multipliedBy(2);
        return twice.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : twice;
    }

    private @Nullable HttpResponse<InputStream> get(@Nullable String lastId) {
        Map<String, String> headers = new TreeMap<>(conversation.get());
        headers.put("Accept", "text/event-stream");
        if (lastId != null)
            headers.put("Last-Event-ID", lastId);
        try {
            return channel.client().sendAsync(channel.request(headers).GET().build(),
                    HttpResponse.BodyHandlers.ofInputStream()).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isStream(HttpResponse<InputStream> response) throws UncheckedIOException {
        boolean stream = response.statusCode() == 200
                && HttpChannel.mediaType(response).equals("text/event-stream");
        if (!stream) {
            try {
                response.body().close();
            } catch (IOException e) {
                // It is closed.
            }
        }
        return stream;
    }

    private static boolean sleep(Duration wait) {
        try {
            Thread.sleep(wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
