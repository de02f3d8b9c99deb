package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.Collections;
import java.util.Locale;

import io.javalin.http.Context;

/// The header `Prefer` (RFC 7240): `wait=SECONDS`, and `respond-async` for no wait. Other preferences are ignored, as the
/// RFC wants it.
///
/// @param patience the time for which a request waits for a result
record Preference(Duration patience) {
    static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);
    static final Duration MAX_WAIT = Duration.ofMinutes(2);
    private static final String HEADER = "Prefer";
    private static final int MAX_DIGITS = 9;

    /// Reads the headers of a request that waits `otherwise` if none of them names a wait.
    static Preference of(Context ctx, Duration otherwise) {
        Duration wait = null;
        for (String header : Collections.list(ctx.req().getHeaders(HEADER))) {
            for (String item : header.split(",", -1)) {
                String text = item.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
                String name = text.split("=", 2)[0].strip();
                // The first one counts.
                if (wait == null && text.equals("respond-async"))
                    wait = Duration.ZERO;
                else if (wait == null && name.equals("wait"))
                    wait = wait(text);
            }
        }
        Preference preference = new Preference(wait == null ? otherwise : wait);
        if (wait != null)
            ctx.header("Preference-Applied", "wait=" + preference.patience().toSeconds());
        return preference;
    }

    private static Duration wait(String text) {
        String seconds = text.substring("wait".length()).strip().replaceFirst("^=\\s*", "").replace("\"", "");
        if (seconds.isEmpty() || seconds.length() > MAX_DIGITS || !seconds.chars().allMatch(c -> c >= '0' && c <= '9'))
            throw Refusals.invalid("The header Prefer has '" + text + "'; wait takes whole seconds, such as wait=30, at"
                    + " most " + MAX_WAIT.toSeconds() + ".");
        Duration wait = Duration.ofSeconds(Long.parseLong(seconds));
        return wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait;
    }
}
