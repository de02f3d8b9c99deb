package dev.toolfleet.http;

import java.util.Locale;

/// The kinds of problem documents; public API (`docs/http.md`).
public enum ProblemType {
    /// A field, parameter, header or path is wrong.
    INVALID_REQUEST(400, "The request cannot be understood"),
    /// No token, or an unknown one.
    UNAUTHORIZED(401, "A bearer token is needed"),
    /// The host or origin is another's.
    FORBIDDEN_HOST(403, "Requests may not name this host"),
    /// A right is missing.
    FORBIDDEN(403, "The principal may not do this"),
    /// The path is unknown.
    NO_SUCH_ROUTE(404, "There is nothing at this path"),
    /// The catalog is unknown.
    UNKNOWN_CATALOG(404, "No step is known of this instance and agent"),
    /// The agent is unknown.
    UNKNOWN_AGENT(404, "No bundle declares this agent"),
    /// The call is unknown, or another principal's.
    UNKNOWN_CALL(404, "No such call is known"),
    /// The session is unknown.
    UNKNOWN_SESSION(404, "No message is known of this instance and agent"),
    /// The handle is unknown, or another principal's.
    UNKNOWN_HANDLE(404, "No call waits for this handle"),
    /// The path has other methods.
    METHOD_NOT_ALLOWED(405, "This path has no such method"),
    /// The body did not come in time.
    TOO_SLOW(408, "The request came too slowly"),
    /// The call or handle takes no such request any more.
    ENDED(409, "It has ended"),
    /// The body fits no record.
    TOO_LARGE(413, "The body is too large"),
    /// The body has another type.
    UNSUPPORTED_MEDIA_TYPE(415, "The body is not JSON"),
    /// The name of the call is taken.
    IDENTITY_CONFLICT(422, "Another call has this name"),
    /// The required sections of a prompt exceed its budget.
    PROMPT_TOO_LARGE(422, "The prompt does not fit its budget"),
    /// A limit of the principal is reached.
    TOO_MANY_REQUESTS(429, "The principal has reached a limit"),
    /// A fault of the service.
    INTERNAL(500, "The service has a fault"),
    /// A temporary state.
    NOT_READY(503, "The service cannot answer now");

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    String uri() {
        return "urn:toolfleet:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
