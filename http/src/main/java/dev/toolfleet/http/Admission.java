package dev.toolfleet.http;

import io.javalin.http.Context;

/// Check that a request may enter. Health probes enter unchecked.
public interface Admission {
    /// Admits the request.
    ///
    /// @throws ProblemException when the request must not enter
    void check(Context ctx);
}
