package dev.toolfleet.http;

import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;

/// Check that a request may enter. Health probes enter unchecked.
public interface Admission {
    /// Admits the request.
    ///
    /// @throws ProblemException when the request must not enter
    void check(Context ctx);

    /// Ends the stay of a request, also of one that was not checked or not admitted. Its answer is written but for the
    /// last buffer, or cannot be written: the client has gone, or does not take it.
    default void ended(HttpServletRequest request) {}
}
