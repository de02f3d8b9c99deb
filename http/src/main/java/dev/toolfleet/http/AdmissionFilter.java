package dev.toolfleet.http;

import java.io.IOException;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;

/// Filter that ends the stay of each request, whatever became of it.
///
/// **Why.** The handlers of Javalin end before the answer is written. Otherwise: a client requests large answers, takes
/// none of them, and each waits in memory without a place among the requests that are counted.
final class AdmissionFilter implements Filter {
    private final Admission admission;

    AdmissionFilter(Admission admission) {
        this.admission = admission;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } finally {
            if (request instanceof HttpServletRequest http)
                admission.ended(http);
        }
    }
}
