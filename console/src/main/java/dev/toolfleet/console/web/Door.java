package dev.toolfleet.console.web;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;

import dev.toolfleet.gateway.access.Access;
import dev.toolfleet.gateway.access.Admitted;
import dev.toolfleet.gateway.access.BrowserSessions;
import dev.toolfleet.gateway.access.BrowserSessions.Session;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import org.jspecify.annotations.Nullable;

/// Door of the pages: leads browsers to the sign-in, checks that forms come from the pages themselves, and writes
/// failures as pages.
///
/// **Threads.** Thread-safe.
public final class Door {
    /// Field of each form with the session's text.
    public static final String CSRF = "csrf";
    /// Page on which people sign in.
    public static final String SIGN_IN = BrowserSessions.PAGES + "/sign-in";
    /// Scripts and styles come from the gateway alone; no page can be framed, and no form leads elsewhere.
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    private static final int OK = 200;
    private static final int SEE_OTHER = 303;

    private final Access access;
    private final Failures failures;
    private final InstantSource clock;

    /// Writes a failure as a page.
    @FunctionalInterface
    public interface Failures {
        /// Writes it.
        void write(Context ctx, Visit visit, Problem problem);
    }

    /// Page or action of a person.
    @FunctionalInterface
    public interface Visited {
        /// Answers the request.
        void answer(Context ctx, Visit visit);
    }

    /// Makes the door of a gateway.
    public Door(Access access, Failures failures, InstantSource clock) {
        this.access = access;
        this.failures = failures;
        this.clock = clock;
    }

    /// Returns the handler of a page. A browser that is not signed in is led to the sign-in, and back afterwards.
    public Handler page(Visited page) {
        return ctx -> {
            secure(ctx);
            Optional<Visit> visit = visit(ctx);
            if (visit.isEmpty())
                leadToSignIn(ctx);
            else
                answer(ctx, visit.get(), page);
        };
    }

    /// Returns the handler of a form that changes something. It must carry the session's text.
    public Handler action(Visited action) {
        return page((ctx, visit) -> {
            Optional<Session> session = access.sessions().read(ctx);
            if (session.isEmpty() || !session.get().isOwn(Form.read(ctx, Form.MOST).get(CSRF)))
                throw new ProblemException(Problem.of(ProblemType.FORBIDDEN, "The form does not belong to this"
                        + " session. Nothing was changed. Load the page again and repeat what you did."));
            action.answer(ctx, visit);
        });
    }

    private void answer(Context ctx, Visit visit, Visited page) {
        try {
            page.answer(ctx, visit);
        } catch (ProblemException e) {
            fail(ctx, visit, e.problem());
        } catch (IllegalArgumentException e) {
            fail(ctx, visit, Problem.of(ProblemType.INVALID_REQUEST, String.valueOf(e.getMessage())));
        }
    }

    private void fail(Context ctx, Visit visit, Problem problem) {
        if (LivePart.isWanted(ctx))
            LivePart.end(ctx, LivePart.LATER, problem.detail());
        else
            failures.write(ctx, visit, problem);
    }

    private Optional<Visit> visit(Context ctx) {
        Principal principal = Admitted.of(ctx).principal();
        if (principal.equals(Principal.VISITOR))
            return Optional.empty();
        Optional<Session> session = access.sessions().read(ctx);
        if (session.isEmpty() && access.isOpen())
            session = Optional.of(access.sessions().begin(ctx, ""));
        return session.map(own -> new Visit(principal, access.isOpen(), own.csrf(), address(ctx), clock.instant()));
    }

    private static String address(Context ctx) {
        return ctx.path() + (ctx.queryString() == null ? "" : "?" + ctx.queryString());
    }

    /// A live part gets an event, since its page follows no redirect: the page then loads itself again.
    private static void leadToSignIn(Context ctx) {
        if (LivePart.isWanted(ctx)) {
            LivePart.end(ctx, LivePart.SIGNED_OUT, "");
            return;
        }
        String page = ctx.header("HX-Current-URL");
        String back = page == null ? ctx.method().name().equals("GET") ? address(ctx) : "" : pathOf(page);
        String to = SIGN_IN + (back.isEmpty() ? "" : "?to=" + URLEncoder.encode(back, StandardCharsets.UTF_8));
        if (page == null)
            ctx.status(SEE_OTHER).header("Location", to);
        else
            ctx.status(OK).header("HX-Redirect", to);
    }

    private static String pathOf(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /// Returns the page to which a browser goes after the sign-in; the front page for an address elsewhere.
    public static String after(@Nullable String to) {
        return to != null && BrowserSessions.isPage(to.split("[?#]", 2)[0]) && !to.contains("\\") && !to.contains("//")
                ? to
                : BrowserSessions.PAGES;
    }

    /// Adds the headers that bound what a page can do.
    public static void secure(Context ctx) {
        ctx.header("Content-Security-Policy", POLICY).header("Referrer-Policy", "same-origin")
                .header("X-Frame-Options", "DENY").header("Cross-Origin-Opener-Policy", "same-origin");
    }

    /// Leads the browser to another page, after an action.
    public static void see(Context ctx, String path) {
        ctx.status(SEE_OTHER).header("Location", path);
    }
}
