package dev.toolfleet.gateway.authorization;

import java.util.Map;

/// Page at the end of an authorization, for the person who has come from a chat and goes back to it. Pure.
final class CallbackPage {
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("access_denied", "You have declined. The tool was not allowed to act for you."),
            Map.entry("invalid_state", "This link is not one of this fleet, or it was changed on its way. Open the link"
                    + " from your conversation again."),
            Map.entry("session_not_found", "This authorization is not known. It may have ended more than an hour ago."
                    + " Request the link again in your conversation."),
            Map.entry("session_expired", "The link was valid for ten minutes, and they are over. Request it again in"
                    + " your conversation."),
            Map.entry("session_already_used", "This link was used before. If you did not do that yourself, tell the"
                    + " people who run this fleet."),
            Map.entry("revoked", "The access was revoked while you authorized. Request the link again in your"
                    + " conversation."),
            Map.entry("subject_mismatch", "You are signed in as another person than the one for whom the link was made."
                    + " Sign in with your own account, and request the link again."),
            Map.entry("invalid_issuer", "The answer came from another server than expected, and was not used. Tell the"
                    + " people who run this fleet."),
            Map.entry("token_exchange_failed",
                    "The server did not confirm your authorization. Request the link again in"
                            + " your conversation."),
            Map.entry("unavailable", "The fleet cannot be reached at this moment. Open the link again in a minute."));

    private CallbackPage() {}

    /// True for the code of a failure that the page explains.
    static boolean isFailure(String code) {
        return WORDS.containsKey(code);
    }

    static String of(CallbackDesk.Outcome outcome) {
        String provider = outcome.provider().isEmpty() ? "The server" : outcome.provider();
        return switch (outcome.code()) {
            case "completed" -> page("Done", "good", escaped(provider) + " is connected.",
                    "Go back to your conversation; it goes on by itself. You can close this page.",
                    outcome.detail().isEmpty() ? "" : "Allowed: " + escaped(outcome.detail()));
            case "working" -> page("Almost done", "good", escaped(provider) + " takes a moment.",
                    "Your authorization is being confirmed. Go back to your conversation; it goes on by itself.", "");
            default -> page("Not connected", "bad", escaped(provider) + " is not connected.",
                    WORDS.getOrDefault(outcome.code(), "The server has not granted access."),
                    "Code: " + escaped(outcome.code())
                            + (outcome.detail().isEmpty() ? "" : " · " + escaped(outcome.detail())));
        };
    }

    private static String page(String title, String kind, String heading, String text, String detail) {
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <style>
                :root { color-scheme: light dark; }
                body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid;
                  place-items: center; background: Canvas; color: CanvasText; }
                main { max-width: 26rem; margin: 1rem; padding: 2rem; border: 1px solid color-mix(in srgb, CanvasText 20%%,
                  Canvas); border-radius: .75rem; }
                h1 { font-size: 1.35rem; margin: 0 0 .75rem; }
                .mark { font-size: 2rem; line-height: 1; margin-bottom: .75rem; }
                .good { color: #1a7f37; } .bad { color: #cf222e; }
                small { display: block; margin-top: 1.25rem; color: color-mix(in srgb, CanvasText 65%%, Canvas);
                  overflow-wrap: anywhere; }
                </style>
                </head>
                <body>
                <main>
                <div class="mark %s" aria-hidden="true">%s</div>
                <h1>%s</h1>
                <p>%s</p>
                %s
                </main>
                </body>
                </html>
                """.formatted(title, kind, kind.equals("good") ? "✓" : "✕", heading, text,
                detail.isEmpty() ? "" : "<small>" + detail + "</small>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
