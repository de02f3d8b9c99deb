package dev.toolfleet.bundle;

import java.util.List;
import java.util.Optional;

/// The access of an export on behalf of a person: `spec.auth` of its Tool, narrowed by the export's own `auth`.
///
/// @param app the OAuthApp
/// @param scopes the scopes that a call may use; empty for all of the OAuthApp
/// @param onMissing what becomes of a call without a grant
public record ToolAuth(Ref app, List<String> scopes, OnMissing onMissing) {
    /// Reaction to a call whose grant is missing.
    public enum OnMissing {
        /// The handler runs, and decides.
        RETURN,
        /// The call waits until the person has authorized, and then runs once.
        WAIT
    }

    /// Copies the scopes.
    public ToolAuth {
        scopes = List.copyOf(scopes);
    }

    /// Returns the access of a Tool; empty when it has none.
    static Optional<ToolAuth> of(ResourceJson auth) {
        return auth.present()
                ? Optional.of(new ToolAuth(auth.get("oauthAppRef").ref(), auth.get("scopes").list(ResourceJson::text),
                        auth.get("onMissing").choice(OnMissing.class).orElse(OnMissing.RETURN)))
                : Optional.empty();
    }

    /// Returns the same for an export with settings of its own.
    ToolAuth narrowed(ResourceJson auth) {
        return new ToolAuth(app, auth.get("scopes").present() ? auth.get("scopes").list(ResourceJson::text) : scopes,
                auth.get("onMissing").choice(OnMissing.class).orElse(onMissing));
    }
}
