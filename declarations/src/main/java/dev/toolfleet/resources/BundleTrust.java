package dev.toolfleet.resources;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.wire.ResourceRecord;

/// Keys whose signatures a reader of `tool.resource` requires of bundles. Without keys it requires none. Immutable.
///
/// Registrations of extensions are not signed: they declare tools of code that a bundle brought. Operators' denials are
/// not signed either: they only restrict.
public final class BundleTrust {
    /// Every bundle counts, signed or not.
    public static final BundleTrust ALL = new BundleTrust(List.of());

    private final List<PublicKey> keys;

    private BundleTrust(Collection<PublicKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /// Requires the signature of one of these keys; of none when there are none.
    public static BundleTrust of(Collection<PublicKey> keys) {
        return keys.isEmpty() ? ALL : new BundleTrust(keys);
    }

    /// Reads a setting: public keys in Base64, or files that hold one each.
    ///
    /// @param setting its key, for messages
    /// @throws ConfigException when one of them is no key, or cannot be read
    public static BundleTrust of(String setting, List<String> textsOrFiles) {
        List<PublicKey> keys = new ArrayList<>();
        for (String each : textsOrFiles) {
            try {
                keys.add(BundleKeys.publicKey(each));
            } catch (IOException | IllegalArgumentException e) {
                throw new ConfigException(setting, each,
                        "Ed25519 public keys in Base64, or files that hold one each (" + e + ")");
            }
        }
        return of(keys);
    }

    /// True if signatures are required.
    public boolean demandsSignatures() {
        return !keys.isEmpty();
    }

    /// Returns the reason against a revision; empty when it counts.
    ///
    /// @param mark the *revision active* record
    /// @param resources all of the revision
    Optional<String> refuses(ResourceRecord mark, Collection<ResourceRecord> resources) {
        if (keys.isEmpty())
            return Optional.empty();
        String signature = RevisionMark.signature(mark);
        if (signature.isEmpty())
            return Optional.of("its revision " + mark.revision() + " is not signed");
        return isSigned(mark, resources, signature)
                ? Optional.empty()
                : Optional.of("its revision " + mark.revision() + " has no signature of a trusted key, or was changed "
                        + "after it was signed");
    }

    private boolean isSigned(ResourceRecord mark, Collection<ResourceRecord> resources, String signature) {
        byte[] content;
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(signature);
            content = RevisionContent.of(mark.bundle(), mark.revision(), resources);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return keys.stream().anyMatch(key -> verifies(key, content, bytes));
    }

    private static boolean verifies(PublicKey key, byte[] content, byte[] signature) {
        try {
            Signature check = Signature.getInstance("Ed25519");
            check.initVerify(key);
            check.update(content);
            return check.verify(signature);
        } catch (GeneralSecurityException e) {
            // Not a signature of this kind.
            return false;
        }
    }
}
