package dev.toolfleet.http;

import java.io.IOException;
import java.time.Duration;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;

/// Filter that reads and drops what an answered request still sends.
///
/// **Contract.** At most [#MOST] bytes, and no new read after [#WITHIN]; then the connection is closed. A client that
/// sends `Expect: 100-continue` has not begun to send, and is left alone.
///
/// **Why.** A request is refused before its body is read. Otherwise: the connection is closed while the client writes,
/// its system reports a reset, and the client never sees why it was refused.
final class UnreadBodies implements Filter {
    static final int MOST = 4 * 1024 * 1024;
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final int CHUNK = 16 * 1024;

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        if (request instanceof HttpServletRequest http && !http.isAsyncStarted() && isSending(http))
            answerAndDrop(response, http.getInputStream());
    }

    private static boolean isSending(HttpServletRequest request) {
        boolean hasBody = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        return hasBody && request.getContentLengthLong() <= MOST && request.getHeader("Expect") == null;
    }

    private static void answerAndDrop(ServletResponse response, ServletInputStream body) {
        long until = System.nanoTime() + WITHIN.toNanos();
        byte[] chunk = new byte[CHUNK];
        try {
            if (!body.isFinished())
                response.flushBuffer();
            int left = MOST;
            while (left > 0 && System.nanoTime() - until < 0 && !body.isFinished()) {
                int n = body.read(chunk);
                if (n < 0)
                    return;
                left -= n;
            }
        } catch (IOException _) {
            // The client has gone, or sends too slowly. It cannot be answered.
        }
    }
}
