package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.json.Json;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Server-sent events of a call: `accepted`, `progress`, `pending`, `result`. Their ids are offsets, so a reader resumes
/// with `Last-Event-ID` at any replica and misses nothing. Ends after `result`.
record EventStream(KnownCalls calls) {
    /// Writes the events behind `after` until the call has ended or the reader has gone. The request has the place of a
    /// stream.
    void write(Context ctx, CallId id, @Nullable EventId after) {
        CallEvents events = calls.events(id, after, Duration.ZERO);
        ctx.header(CallAnswers.CALL_ID, id.toString()).header("Location", CallAnswers.path(id));
        OpenStreams.write(ctx, out -> write(out, id, events, after));
    }

    private void write(OutputStream out, CallId id, CallEvents first, @Nullable EventId after) throws IOException {
        CallEvents events = first;
        EventId last = after;
        while (true) {
            for (CallEvent event : events.events()) {
                write(out, id, event);
                last = event.id();
            }
            if (events.events().isEmpty())
                OpenStreams.beat(out);
            out.flush();
            if (events.ended())
                return;
            events = calls.events(id, last, OpenStreams.BEAT);
        }
    }

    private static void write(OutputStream out, CallId id, CallEvent event) throws IOException {
        switch (event) {
            case CallEvent.Accepted accepted -> OpenStreams.event(out, "accepted", event.id(), Json.MAPPER
                    .createObjectNode().put("id", id.toString()).put("acceptedAt", accepted.at().toString())
                    .set("call", CallAnswers.call(accepted.call())));
            case CallEvent.Progress progress ->
                OpenStreams.event(out, "progress", event.id(), Json.MAPPER.valueToTree(progress.progress()));
            case CallEvent.Pending pending -> {
                ObjectNode json = Json.MAPPER.createObjectNode();
                json.set("result", Json.MAPPER.valueToTree(pending.result()));
                if (pending.waitsFor() != null)
                    json.set("waitsFor", Json.MAPPER.valueToTree(pending.waitsFor()));
                OpenStreams.event(out, "pending", event.id(), json);
            }
            case CallEvent.Result result ->
                OpenStreams.event(out, "result", event.id(), Json.MAPPER.valueToTree(result.result()));
        }
    }
}
