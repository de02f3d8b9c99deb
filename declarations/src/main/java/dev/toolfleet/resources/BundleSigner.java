package dev.toolfleet.resources;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Base64;
import java.util.Collection;

import dev.toolfleet.wire.ResourceRecord;
import org.jspecify.annotations.Nullable;

/// Signs revisions of bundles. The same revision has the same signature each time, as Ed25519 has no randomness.
///
/// @param key an Ed25519 key
public record BundleSigner(PrivateKey key) {
    String sign(String bundle, long revision, Collection<ResourceRecord> resources) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(RevisionContent.of(bundle, revision, resources));
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the key cannot sign: " + e.getMessage(), e);
        }
    }

    /// True if the *revision active* record carries this key's signature of its revision.
    boolean hasSigned(@Nullable ResourceRecord mark, Collection<ResourceRecord> resources) {
        return mark != null && sign(mark.bundle(), mark.revision(), resources).equals(RevisionMark.signature(mark));
    }
}
