package dev.toolfleet.gateway.access;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.wire.Callback;

/// Callbacks of a principal.
///
/// **Why.** A principal names only the secrets that it was given. Otherwise: it has a result of its own making signed for
/// its own address with another's secret, and sends that on to the other's receiver.
///
/// @param standing the address for results of calls that name none; empty for none
/// @param secrets the names of the secrets that its calls may name
/// @param every true if its calls may name all of them
public record Callbacks(Optional<Callback> standing, Set<String> secrets, boolean every) {
    /// No callbacks.
    static final Callbacks NONE = new Callbacks(Optional.empty(), Set.of(), false);
    /// Callbacks with any secret.
    static final Callbacks ALL = new Callbacks(Optional.empty(), Set.of(), true);
    static final String URL = "callback.url";
    static final String SECRET = "callback.secret";
    static final String SECRETS = "callback.secrets";

    /// Copies the names.
    public Callbacks {
        secrets = Set.copyOf(secrets);
    }

    /// Reads the fields of a principal.
    ///
    /// @param secrets the items of [#SECRETS]
    /// @param key the settings of the principal, for messages
    /// @throws IllegalArgumentException when one of URL and secret is missing
    static Callbacks of(Map<String, String> fields, List<String> secrets, String key) {
        String url = fields.getOrDefault(URL, "");
        String secret = fields.getOrDefault(SECRET, "");
        if (url.isEmpty() != secret.isEmpty())
            throw new IllegalArgumentException(
                    key + " has only one of " + URL + " and " + SECRET + "; set both or none");
        Optional<Callback> standing = url.isEmpty() ? Optional.empty() : Optional.of(new Callback(url, secret));
        return new Callbacks(standing, Set.copyOf(secrets), false);
    }

    /// True if its calls may name this secret.
    public boolean mayName(String secret) {
        return every || secrets.contains(secret)
                || standing.map(Callback::secret).filter(secret::equals).isPresent();
    }
}
