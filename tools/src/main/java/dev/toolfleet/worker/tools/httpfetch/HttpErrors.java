package dev.toolfleet.worker.tools.httpfetch;

import java.io.IOException;
import java.time.Duration;

import javax.net.ssl.SSLException;

import dev.toolfleet.tool.ToolException;
import org.apache.hc.core5.http.MessageConstraintException;

/// Errors of a request, for a model. No message reveals the addresses of a name, or that it has any: these belong to
/// the operator's network.
final class HttpErrors {
    private static final String OTHER_SOURCE = "Use another source, or tell the user that it cannot be reached from"
            + " here.";

    private HttpErrors() {}

    /// The operator, or the nature of the address, forbids it.
    static ToolException refused(String message) {
        return new ToolException("E_HTTP_REFUSED", message).suggestion(OTHER_SOURCE);
    }

    static ToolException timeout(String url, Duration time) {
        return new ToolException("E_HTTP_TIMEOUT", "No complete answer from " + url + " within " + time.toMillis()
                + " ms.").suggestion("Try once more with a larger timeoutMs (119000 at most), or ask for less.");
    }

    static ToolException redirects(String url, int limit) {
        return new ToolException("E_HTTP_REDIRECTS", "More than " + limit + " redirects, the last from " + url + ".")
                .suggestion("Use the address that the content really has.");
    }

    /// The same for a name without addresses and for one of the operator's network: otherwise a model could find out
    /// which names that network has.
    static ToolException noPublicHost(Target target) {
        return new ToolException("E_HTTP_REFUSED", "'" + target.host() + "' is no host that may be reached.")
                .suggestion("Check how the name is spelled; hosts of an inner network cannot be reached from here.");
    }

    /// The connection, or the answer, failed.
    static ToolException of(Target target, Exception e) {
        String what = switch (e) {
            case SSLException x -> "the connection is not secure: " + x.getMessage();
            case MessageConstraintException x -> "the headers of the answer are too large";
            case IOException x when x.getClass().getPackageName().startsWith("java.net") -> "the connection failed";
            default -> "the answer is not HTTP or broke off: " + e.getMessage();
        };
        return new ToolException("E_HTTP_FAILED", "Fetching " + target.url() + " failed: " + what + ".", e)
                .suggestion("Try once more; if it fails again, use another source.");
    }
}
