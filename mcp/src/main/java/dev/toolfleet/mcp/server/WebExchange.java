package dev.toolfleet.mcp.server;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// HTTP request whose body was read, and the way of its response.
///
/// **Threads.** The thread of the request.
public interface WebExchange {
    /// Returns the value of a request's header, or null.
    @Nullable
    String header(String name);

    /// Responds with JSON; an empty body for none.
    ///
    /// @throws IOException when the client has gone
    void respond(int status, Map<String, String> headers, byte[] json) throws IOException;

    /// Begins a response of status 200 that is a stream of events. The end of the request closes it.
    ///
    /// @throws IOException when the client has gone
    OutputStream stream(Map<String, String> headers) throws IOException;
}
