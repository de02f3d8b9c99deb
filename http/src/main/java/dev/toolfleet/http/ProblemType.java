package dev.toolfleet.http;

import java.util.Locale;

/// The kinds of problem documents; public API (`docs/http.md`).
public enum ProblemType {
    INVALID_REQUEST(400, "The request cannot be understood"), UNAUTHORIZED(401,
            "A bearer token is needed"), FORBIDDEN_HOST(403, "Requests may not name this host"), NO_SUCH_ROUTE(404,
                    "There is nothing at this path"), UNKNOWN_CATALOG(404,
                            "No step is known of this instance and agent"), UNKNOWN_AGENT(404,
                                    "No bundle declares this agent"), METHOD_NOT_ALLOWED(405,
                                            "This path is only read"), INTERNAL(500,
                                                    "The service has a fault"), NOT_READY(503,
                                                            "The service cannot answer now");

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    int status() {
        return status;
    }

    String title() {
        return title;
    }

    String uri() {
        return "urn:toolfleet:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
