package dev.toolfleet.oauth.view;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.wire.OAuthGrant;

import static java.util.Objects.requireNonNull;

/// Opened secrets of the grants that calls requested last. A grant that changes is forgotten.
///
/// **Threads.** Thread-safe.
final class OpenedGrants {
    /// The most secrets that are kept.
    static final int MOST = 1_000;

    private final Secrets secrets;
    private final SequencedMap<String, Opened> opened = new LinkedHashMap<>(16, 0.75f, true);

    private record Opened(OAuthGrant grant, Secrets.OfGrant secret) {}

    OpenedGrants(Secrets secrets) {
        this.secrets = secrets;
    }

    /// Returns the secret of a grant that is not revoked.
    ///
    /// @throws SealException when this process cannot open it
    Secrets.OfGrant open(OAuthGrant grant) {
        synchronized (opened) {
            Opened known = opened.get(grant.grantId());
            if (known != null && known.grant().equals(grant))
                return known.secret();
        }
        Secrets.OfGrant secret = secrets.grant(grant.grantId(), requireNonNull(grant.secret(), "secret"));
        synchronized (opened) {
            opened.put(grant.grantId(), new Opened(grant, secret));
            if (opened.size() > MOST)
                opened.pollFirstEntry();
        }
        return secret;
    }

    /// True if this process can open the secret of a grant that is not revoked.
    boolean opens(OAuthGrant grant) {
        try {
            open(grant);
            return true;
        } catch (SealException | IllegalStateException e) {
            return false;
        }
    }

    void forget(String grantId) {
        synchronized (opened) {
            opened.remove(grantId);
        }
    }

    int size() {
        synchronized (opened) {
            return opened.size();
        }
    }
}
