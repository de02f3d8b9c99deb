package dev.toolfleet.console.page;

import java.util.Optional;

import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Form;
import dev.toolfleet.gateway.access.Access;
import dev.toolfleet.gateway.access.BrowserSessions;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Sign-in with a person's token, and sign-out.
///
/// A form of another site cannot sign a browser in: the gateway rejects requests with the `Origin` of other pages.
final class SignInRoutes implements Route {
    private static final int UNAUTHORIZED = 401;

    private final Access access;
    private final Door door;

    SignInRoutes(Access access, Door door) {
        this.access = access;
        this.door = door;
    }

    /// Model of the page.
    ///
    /// @param to the address to go to afterwards
    /// @param problem the reason why the last try failed; empty before one
    record SignInModel(String to, String problem) {}

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Door.SIGN_IN, this::show);
        routes.post(Door.SIGN_IN, this::signIn);
        routes.post(BrowserSessions.PAGES + "/sign-out", door.action((ctx, _) -> {
            access.sessions().end(ctx);
            Door.see(ctx, Door.SIGN_IN);
        }));
    }

    private void show(Context ctx) {
        Door.secure(ctx);
        String to = Door.after(ctx.queryParam("to"));
        if (access.isOpen())
            Door.see(ctx, to);
        else
            Templates.page(ctx, "signIn", new SignInModel(to, ""));
    }

    private void signIn(Context ctx) {
        Door.secure(ctx);
        String to = Door.after(null);
        try {
            Form form = Form.read(ctx, Form.MOST_OF_VISITORS);
            to = Door.after(form.get("to"));
            String token = stripped(form.get("token"));
            Optional<Principal> principal = access.signIn(ctx, token);
            if (principal.isPresent()) {
                Door.see(ctx, to);
                return;
            }
            refuse(ctx, to, token.isEmpty()
                    ? "Type or paste your token."
                    : token.length() > BrowserSessions.MAX_TOKEN
                            ? "This token has " + token.length() + " characters; a browser keeps at most "
                                    + BrowserSessions.MAX_TOKEN + ". Have one issued with fewer claims."
                            : "This token is none of a principal of this gateway, or it has expired.");
        } catch (ProblemException e) {
            refuse(ctx, to, e.problem().detail());
        } catch (IllegalArgumentException e) {
            refuse(ctx, to, "The form cannot be read.");
        }
    }

    private static String stripped(@Nullable String token) {
        return token == null ? "" : token.strip();
    }

    private static void refuse(Context ctx, String to, String problem) {
        ctx.status(UNAUTHORIZED);
        Templates.page(ctx, "signIn", new SignInModel(to, problem));
    }
}
