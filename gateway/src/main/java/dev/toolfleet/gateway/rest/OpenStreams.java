package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

import dev.toolfleet.gateway.access.Admitted;
import dev.toolfleet.http.ProblemException;
import io.javalin.http.Context;

/// Open streams of server-sent events. The limits of the principal and of the gateway bound their number.
///
/// **Threads.** One virtual thread per open stream. A reader that does not take what is written is cut by the server's
/// idle time; a reader that has gone is noticed at the next event or beat.
final class OpenStreams {
    /// The longest silence of a stream.
    static final Duration BEAT = Duration.ofSeconds(15);
    private static final String MEDIA = "text/event-stream";
    private static final byte[] PING = ": alive\n\n".getBytes(StandardCharsets.UTF_8);

    private OpenStreams() {}

    /// Writes the events of one stream.
    interface Writer {
        /// Writes until the stream has ended. A refusal ends the stream, and its reader connects again.
        ///
        /// @throws IOException when the reader has gone
        void write(OutputStream out) throws IOException;
    }

    /// True if the request accepts events only.
    static boolean isWanted(Context ctx) {
        String accept = ctx.header("Accept");
        return accept != null && accept.toLowerCase(Locale.ROOT).contains(MEDIA);
    }

    /// Takes the place of a stream, before the request has an effect. Otherwise: a call is sent, and its caller gets a
    /// refusal without the call's id.
    static void take(Context ctx) {
        Admitted.of(ctx).place().becomeStream();
    }

    /// Begins the stream of a request that has a place, and writes it.
    static void write(Context ctx, Writer writer) {
        ctx.contentType(MEDIA).header("X-Accel-Buffering", "no");
        try {
            writer.write(ctx.res().getOutputStream());
        } catch (ProblemException e) {
            // The reader connects again, to a replica that can read.
        } catch (IOException e) {
            // The reader has gone, and resumes elsewhere if it wants.
        }
    }

    /// Writes an event. JSON of the fleet's mapper has no line breaks.
    static void event(OutputStream out, String name, Object id, Object json) throws IOException {
        out.write(("event: " + name + "\nid: " + id + "\ndata: " + json + "\n\n").getBytes(StandardCharsets.UTF_8));
    }

    /// Writes a comment, so that proxies keep the connection and a reader that has gone is noticed.
    static void beat(OutputStream out) throws IOException {
        out.write(PING);
    }
}
