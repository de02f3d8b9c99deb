package dev.toolfleet.mcp.transport;

import java.util.Map;

/// Reason why a request gets no answer.
public sealed interface NoAnswer {
    /// Returns a sentence for people.
    String reason();

    /// The request did not leave: nothing happened.
    record NotSent(String reason) implements NoAnswer {}

    /// The server does not know the session any more, and did nothing. A new connection is needed.
    record SessionEnded(String reason) implements NoAnswer {}

    /// The request left, and what became of it is unknown.
    record Lost(String reason) implements NoAnswer {}

    /// The answer came and cannot be read.
    record Unreadable(String reason) implements NoAnswer {}

    /// The response has an HTTP status above 299 and no answer.
    ///
    /// @param status the status; from 500 on the request may have been carried out
    /// @param text the beginning of the body
    /// @param headers the response's headers, names in lower case
    record Rejected(int status, String text, Map<String, String> headers) implements NoAnswer {
        @Override
        public String reason() {
            return "HTTP " + status + (text.isBlank() ? "" : ": " + text.strip());
        }
    }
}
