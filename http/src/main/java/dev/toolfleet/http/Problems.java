package dev.toolfleet.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.router.Endpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Turns every failure into a problem document. The document of an internal fault names no details.
final class Problems implements Route {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
    private static final String READ_ONLY = "GET, HEAD";
    /// Javalin's detail with the methods of a path.
    private static final String METHODS = "availableMethods";
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    /// Keys of log events; public API for log searches.
    private static final String ROUTE = "route";
    private static final String REASON = "reason";

    private final String paths;

    /// @param paths a sentence about the existing paths, for requests of other paths
    Problems(String paths) {
        this.paths = paths;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        routes.exception(ProblemException.class, (problem, ctx) -> answer(ctx, problem.problem()));
        routes.exception(HttpResponseException.class, (problem, ctx) -> answer(ctx, problem));
        routes.exception(Exception.class, (problem, ctx) -> {
            log(ctx, problem);
            answer(ctx, Problem.of(ProblemType.INTERNAL,
                    "This request met a fault of the service; its log has an event of this moment."));
        });
    }

    private void answer(Context ctx, HttpResponseException refusal) {
        int status = refusal.getStatus();
        switch (status) {
            case NOT_FOUND -> answer(ctx, Problem.of(ProblemType.NO_SUCH_ROUTE,
                    "There is no '" + ctx.path() + "' here. " + paths));
            case METHOD_NOT_ALLOWED -> {
                String allowed = refusal.getDetails().getOrDefault(METHODS, READ_ONLY);
                ctx.header("Allow", allowed);
                answer(ctx, Problem.of(ProblemType.METHOD_NOT_ALLOWED,
                        "The method " + ctx.method().name() + " is not allowed here, only " + allowed + "."));
            }
            default -> answer(ctx, Problem.of(ProblemType.INVALID_REQUEST,
                    "The request cannot be understood (" + status + "); see that its path is percent-encoded UTF-8."));
        }
    }

    private static void answer(Context ctx, Problem problem) {
        problem.headers().forEach(ctx::header);
        ctx.removeHeader("ETag");
        ctx.header("Cache-Control", "no-store");
        ctx.status(problem.type().status()).contentType(Problem.CONTENT_TYPE).result(problem.json(ctx.path()));
    }

    /// Logs the place and the class of the failure. Its message could hold a part of the request.
    private static void log(Context ctx, Exception problem) {
        StackTraceElement[] trace = problem.getStackTrace();
        Endpoint endpoint = ctx.endpoints().lastHttpEndpoint();
        LOG.atError().addKeyValue(ROUTE, endpoint == null ? "none" : endpoint.path)
                .addKeyValue(REASON, problem.getClass().getName()
                        + (trace.length == 0 ? "" : " at " + trace[0]))
                .log("request failed: internal fault");
    }
}
