package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;

import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.json.Json;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Server-sent events of a call: `accepted`, `progress`, `pending`, `result`. Their ids are offsets, so a reader resumes
/// with `Last-Event-ID` at any replica and misses nothing. Ends after `result`.
///
/// **Threads.** One virtual thread per open stream. A reader that does not take what is written is cut by the server's
/// idle time; a reader that has gone is noticed at the next event or beat.
final class EventStream {
    private static final Duration BEAT = Duration.ofSeconds(15);
    private static final String MEDIA = "text/event-stream";
    private static final String PING = ": alive\n\n";

    private final KnownCalls calls;
    private final Semaphore places;
    private final int most;

    /// @param most the largest number of open streams
    EventStream(KnownCalls calls, int most) {
        this.calls = calls;
        this.places = new Semaphore(most);
        this.most = most;
    }

    /// True if the request accepts events only.
    static boolean isWanted(Context ctx) {
        String accept = ctx.header("Accept");
        return accept != null && accept.contains(MEDIA);
    }

    /// Number of open streams.
    int open() {
        return most - places.availablePermits();
    }

    /// Writes the events behind `after` until the call has ended or the reader has gone.
    void write(Context ctx, CallId id, @Nullable EventId after) {
        if (!places.tryAcquire())
            throw Refusals.later("it holds " + most + " open streams. Read GET " + CallAnswers.path(id) + " instead");
        try {
            CallEvents events = calls.events(id, after, Duration.ZERO);
            begin(ctx, id);
            OutputStream out = ctx.res().getOutputStream();
            write(out, id, events, after);
        } catch (IOException e) {
            // The reader has gone, and resumes elsewhere if it wants.
        } finally {
            places.release();
        }
    }

    private static void begin(Context ctx, CallId id) {
        ctx.contentType(MEDIA).header(CallAnswers.CALL_ID, id.toString()).header("Location", CallAnswers.path(id))
                .header("X-Accel-Buffering", "no");
    }

    private void write(OutputStream out, CallId id, CallEvents first, @Nullable EventId after) throws IOException {
        CallEvents events = first;
        EventId last = after;
        while (true) {
            for (CallEvent event : events.events()) {
                out.write(text(id, event).getBytes(StandardCharsets.UTF_8));
                last = event.id();
            }
            if (events.events().isEmpty())
                out.write(PING.getBytes(StandardCharsets.UTF_8));
            out.flush();
            if (events.ended())
                return;
            try {
                events = calls.events(id, last, BEAT);
            } catch (ProblemException e) {
                // The reader connects again, to a replica that can read.
                return;
            }
        }
    }

    private static String text(CallId id, CallEvent event) {
        return switch (event) {
            case CallEvent.Accepted accepted -> text("accepted", event.id(), Json.MAPPER.createObjectNode()
                    .put("id", id.toString()).put("acceptedAt", accepted.at().toString())
                    .set("call", CallAnswers.call(accepted.call())));
            case CallEvent.Progress progress ->
                text("progress", event.id(), Json.MAPPER.valueToTree(progress.progress()));
            case CallEvent.Pending pending -> {
                ObjectNode json = Json.MAPPER.createObjectNode();
                json.set("result", Json.MAPPER.valueToTree(pending.result()));
                if (pending.waitsFor() != null)
                    json.set("waitsFor", Json.MAPPER.valueToTree(pending.waitsFor()));
                yield text("pending", event.id(), json);
            }
            case CallEvent.Result result -> text("result", event.id(), Json.MAPPER.valueToTree(result.result()));
        };
    }

    /// JSON of the fleet's mapper has no line breaks.
    private static String text(String name, EventId id, Object json) {
        return "event: " + name + "\nid: " + id + "\ndata: " + json + "\n\n";
    }
}
