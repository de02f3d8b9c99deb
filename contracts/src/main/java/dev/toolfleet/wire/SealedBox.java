package dev.toolfleet.wire;

import static java.util.Objects.requireNonNull;

/// Secret part of a record, encrypted and authenticated. Binary fields are base64 text.
///
/// @param algorithm `aes-256-gcm`
/// @param keyId the key that opens it
/// @param iv 12 bytes
/// @param ciphertext the encrypted JSON
/// @param tag 16 bytes
public record SealedBox(String algorithm, String keyId, String iv, String ciphertext, String tag) {
    /// Checks that all parts are present.
    public SealedBox {
        requireNonNull(algorithm, "algorithm");
        requireNonNull(keyId, "keyId");
        requireNonNull(iv, "iv");
        requireNonNull(ciphertext, "ciphertext");
        requireNonNull(tag, "tag");
    }
}
