package dev.toolfleet.http;

import java.nio.ByteBuffer;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// Turns requests that Jetty rejects before any route, such as a broken percent-encoding, into problem documents.
final class UnreadableRequests extends ErrorHandler {
    private static final int INTERNAL = 500;

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        ProblemType type = response.getStatus() >= INTERNAL ? ProblemType.INTERNAL : ProblemType.INVALID_REQUEST;
        Problem problem = Problem.of(type, type == ProblemType.INTERNAL
                ? "This request met a fault of the service."
                : "The request cannot be read (" + response.getStatus() + "): see that its path is percent-encoded"
                        + " UTF-8 without control characters, and that its headers have less than 32 KB.");
        response.setStatus(problem.type() == ProblemType.INTERNAL ? INTERNAL : response.getStatus());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.CONTENT_TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.write(true, ByteBuffer.wrap(problem.json(request.getHttpURI().getPath() == null
                ? "/"
                : request.getHttpURI().getPath())), callback);
        return true;
    }
}
