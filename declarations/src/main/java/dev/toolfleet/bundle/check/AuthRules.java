package dev.toolfleet.bundle.check;

import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.check.Refs.Target;

/// Checks `auth` of a Tool of v0.8 and of its exports (seed tool.md v0.8, sections 2.3 and 3.1). Each scope must be one
/// of the OAuthApp's. An export may narrow its Tool's scopes, never widen them. Unlisted scopes are inherited.
final class AuthRules {
    private final Place auth;
    private final Check check;

    private AuthRules(Place auth, Check check) {
        this.auth = auth;
        this.check = check;
    }

    static void check(Place spec, Check check) {
        new AuthRules(spec.get("auth"), check).check(spec.get("exports"));
    }

    private void check(Place exports) {
        Optional<Set<String>> ofApp = Optional.empty();
        if (auth.node().isObject()) {
            ofApp = app();
            scopes(auth.get("scopes"), ofApp, "its OAuthApp", "Add it to spec.scopes of the OAuthApp, or remove it.");
        }
        Optional<Set<String>> ofTool = auth.get("scopes").present()
                ? Optional.of(auth.get("scopes").texts())
                : Optional.empty();
        for (Place export : exports.items())
            export(export.get("auth"), ofTool, ofApp);
    }

    private void export(Place own, Optional<Set<String>> ofTool, Optional<Set<String>> ofApp) {
        if (!own.node().isObject())
            return;
        if (!auth.present()) {
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, own,
                    "The export has auth, but its Tool has none that it could narrow.",
                    "Add spec.auth with oauthAppRef: OAuthApp/NAME to the Tool.");
        } else if (ofTool.isPresent()) {
            scopes(own.get("scopes"), ofTool, "its Tool",
                    "An export may narrow its Tool's scopes, never widen them: add the scope to "
                            + auth.get("scopes").path() + " (line " + auth.get("scopes").position().line()
                            + "), or remove it here.");
        } else {
            scopes(own.get("scopes"), ofApp, "its Tool's OAuthApp",
                    "Add it to spec.scopes of the OAuthApp, or remove it.");
        }
    }

    /// Returns the scopes of the OAuthApp; empty when it cannot be read, which [Refs] has reported.
    private Optional<Set<String>> app() {
        Place ref = auth.get("oauthAppRef");
        if (!ref.present())
            return Optional.empty();
        return check.refs().follow(ref, Kinds.OAUTH_APP)
                .flatMap(target -> target instanceof Target.Local(var app)
                        ? Optional.of(Place.spec(app).get("scopes").texts())
                        : Optional.empty());
    }

    private void scopes(Place list, Optional<Set<String>> allowed, String whose, String hint) {
        for (Place item : list.items()) {
            item.text().filter(scope -> allowed.isPresent() && !allowed.get().contains(scope))
                    .ifPresent(scope -> check.findings().error(ProblemCode.E_CONFIG_SCOPE_NOT_ALLOWED, item,
                            "The scope '" + scope + "' is not among those of " + whose + ", which are: "
                                    + (allowed.get().isEmpty() ? "none" : String.join(", ", allowed.get())) + ".",
                            hint));
        }
    }
}
