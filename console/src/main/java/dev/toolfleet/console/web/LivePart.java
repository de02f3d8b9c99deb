package dev.toolfleet.console.web;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;

import dev.toolfleet.gateway.access.Admitted;
import dev.toolfleet.http.ProblemException;
import io.javalin.http.Context;

/// Live part of a page: a stream of server-sent events. Each event is the whole part as HTML.
///
/// **Contract.** The part is sent at once, and then whenever it has changed, at most [#MOST_A_SECOND] times a second. While
/// nothing changes, a stream spends one part in [#IDLE_SHARE] of its time on rendering, so an idle page costs the gateway
/// less than one percent of a processor; but it looks every [#LONGEST] at least. Otherwise: on a busy machine, where a
/// rendering takes long because it waits, a page shows nothing new for many seconds. While the part changes, it spends one
/// part in [#BUSY_SHARE]. A stream ends after [#LIFE]; the page connects again, and its session is checked again.
///
/// **Threads.** One virtual thread per open page.
public final class LivePart {
    /// Name of the event after which a page connects no more.
    public static final String OVER = "over";
    /// Name of the event for a browser that is not signed in any more.
    static final String SIGNED_OUT = "signed-out";
    /// Name of the event for a part that cannot be shown now; its data is the reason.
    static final String LATER = "later";
    static final int MOST_A_SECOND = 4;
    static final int IDLE_SHARE = 120;
    static final int BUSY_SHARE = 10;
    static final Duration LONGEST = Duration.ofSeconds(5);
    static final Duration LIFE = Duration.ofMinutes(5);
    private static final String MEDIA = "text/event-stream";
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final Duration BEAT = Duration.ofSeconds(15);
    private static final byte[] END = ("event: " + OVER + "\ndata: over\n\n").getBytes(StandardCharsets.UTF_8);
    private static final byte[] PING = ": alive\n\n".getBytes(StandardCharsets.UTF_8);

    private LivePart() {}

    /// True if the request connects a live part.
    static boolean isWanted(Context ctx) {
        String accept = ctx.header("Accept");
        return accept != null && accept.contains(MEDIA);
    }

    /// Answers a request that gets no stream with one event. The page connects again some seconds later.
    static void end(Context ctx, String event, String data) {
        ctx.contentType(MEDIA).result("event: " + event + "\nretry: " + RETRY.toMillis() + "\ndata: "
                + data.replaceAll("\\R", " ") + "\n\n");
    }

    /// Writes the stream until it ends or the browser has gone.
    ///
    /// @param part renders the part; equal text is not sent again
    public static void write(Context ctx, Supplier<String> part) {
        write(ctx, () -> new Rendered(part.get(), false), Thread::sleep);
    }

    /// Wait between two renderings.
    @FunctionalInterface
    public interface Pause {
        /// Returns after a time, or earlier when something may have changed.
        ///
        /// @param usual the time that an idle page may take
        void await(Duration usual) throws InterruptedException;
    }

    /// State of a part.
    ///
    /// @param last true if it will not change any more
    public record Rendered(String html, boolean last) {}

    /// Renders a part that ends.
    @FunctionalInterface
    public interface Ending {
        /// Returns the part as it is now.
        Rendered now();
    }

    /// Writes the stream of a part that ends: with the event [#OVER], after which the page connects no more.
    ///
    /// @param part renders the part; equal text is not sent again
    /// @param pause waits; it ends early when something may have changed
    public static void write(Context ctx, Ending part, Pause pause) {
        Admitted.of(ctx).place().becomeStream();
        ctx.contentType(MEDIA).header("X-Accel-Buffering", "no");
        try {
            write(ctx.res().getOutputStream(), part, pause);
        } catch (IOException | ProblemException e) {
            // The browser has gone, or the part cannot be read now: a page that is still open connects again.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(OutputStream out, Ending part, Pause pause) throws IOException, InterruptedException {
        long end = System.nanoTime() + LIFE.toNanos();
        long beat = 0;
        String sent = "";
        while (System.nanoTime() < end) {
            long began = System.nanoTime();
            Rendered rendered = part.now();
            String now = rendered.html();
            Duration cost = Duration.ofNanos(System.nanoTime() - began);
            boolean changed = !now.equals(sent);
            if (changed) {
                out.write(event(now));
                sent = now;
                beat = began;
            } else if (began - beat > BEAT.toNanos()) {
                out.write(PING);
                beat = began;
            }
            if (rendered.last())
                out.write(END);
            out.flush();
            if (rendered.last())
                return;
            pause.await(pause(cost, changed));
        }
    }

    /// Returns the time until the part is rendered again.
    ///
    /// @param cost the time that the last rendering took
    static Duration pause(Duration cost, boolean changed) {
        Duration least = Duration.ofSeconds(1).dividedBy(MOST_A_SECOND);
        Duration share = cost.multipliedBy(changed ? BUSY_SHARE : IDLE_SHARE);
        return share.compareTo(least) < 0 ? least : share.compareTo(LONGEST) > 0 ? LONGEST : share;
    }

    private static byte[] event(String html) {
        return ("data: " + html.replace("\r", "").replace("\n", "\ndata: ") + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
