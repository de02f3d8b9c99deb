package dev.toolfleet.oauth.seal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import dev.toolfleet.wire.SealedBox;

import static java.util.Objects.requireNonNull;

/// Keys that seal tokens: the current one, and older ones that still open what they sealed. Immutable.
///
/// Sealed is by AES-256-GCM with a random nonce of 96 bits. A purpose is authenticated with it, so that a record's secret
/// opens in its place alone. Signed is by HMAC-SHA-256 with a key derived by HKDF (RFC 5869).
///
/// **Threads.** Thread-safe.
public final class KeyRing {
    /// The name of the algorithm in a [SealedBox].
    public static final String ALGORITHM = "aes-256-gcm";
    private static final int KEY_BYTES = 32;
    private static final int IV_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final Pattern ENTRIES = Pattern.compile("[\\n,]");
    private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Map<String, SecretKey> keys;
    private final String current;
    private final SecretKey sealing;

    private KeyRing(Map<String, SecretKey> keys, String current) {
        this.keys = keys;
        this.current = current;
        this.sealing = requireNonNull(keys.get(current), current);
    }

    /// Reads keys: one `ID:KEY` a line or behind a comma, with 32 bytes of key in base64. The first is the current one.
    /// Empty lines, and lines that begin with `#`, are left out.
    ///
    /// @param source the place of the text, for messages
    /// @throws IllegalArgumentException when the text has no key, or a wrong one; its message shows no key
    public static KeyRing parse(String text, String source) {
        Map<String, SecretKey> keys = new LinkedHashMap<>();
        int line = 0;
        for (String entry : ENTRIES.splitAsStream(text).toList()) {
            line++;
            String trimmed = entry.strip();
            if (trimmed.isEmpty() || trimmed.startsWith("#"))
                continue;
            int colon = trimmed.indexOf(':');
            String id = colon < 0 ? "" : trimmed.substring(0, colon).strip();
            if (!KEY_ID.matcher(id).matches())
                throw new IllegalArgumentException("entry " + line + " of " + source + " must be ID:KEY, with an id of"
                        + " letters, digits, '.', '_' and '-'; make one with: toolfleet oauth key init");
            if (keys.put(id, key(trimmed.substring(colon + 1).strip(), id, source)) != null)
                throw new IllegalArgumentException(source + " has the key id '" + id + "' twice");
        }
        if (keys.isEmpty())
            throw new IllegalArgumentException(source + " has no key; make one with: toolfleet oauth key init");
        return new KeyRing(keys, keys.keySet().iterator().next());
    }

    /// Makes a ring of keys that the caller has.
    ///
    /// @param keys by their ids; AES keys of 256 bits
    /// @param current the id of the key that seals
    /// @throws IllegalArgumentException when there is no such key, or one is of another length
    public static KeyRing of(Map<String, SecretKey> keys, String current) {
        keys.forEach((id, key) -> {
            byte[] bytes = key.getEncoded();
            if (bytes == null || bytes.length != KEY_BYTES)
                throw new IllegalArgumentException("the key '" + id + "' must be an AES key of 256 bits");
        });
        if (!keys.containsKey(current))
            throw new IllegalArgumentException("there is no key '" + current + "'; there are: " + keys.keySet());
        return new KeyRing(new LinkedHashMap<>(keys), current);
    }

    /// Makes a line for [#parse] with a new key.
    public static String newEntry(String id) {
        if (!KEY_ID.matcher(id).matches())
            throw new IllegalArgumentException("'" + id + "' is no key id: use letters, digits, '.', '_' and '-'");
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        return id + ":" + Base64.getEncoder().encodeToString(key);
    }

    private static SecretKey key(String base64, String id, String source) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            if (bytes.length == KEY_BYTES)
                return new SecretKeySpec(bytes, "AES");
        } catch (IllegalArgumentException e) {
            // The message of the decoder would show a part of the key.
        }
        throw new IllegalArgumentException("the key '" + id + "' of " + source + " must be 32 bytes in base64; make one"
                + " with: toolfleet oauth key init");
    }

    /// Returns the id of the key that seals.
    public String current() {
        return current;
    }

    /// Returns the ids of all keys, the first one first.
    public Set<String> ids() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(keys.keySet()));
    }

    /// Seals a secret with the current key.
    ///
    /// @param purpose the place of the secret; the same opens it
    public SealedBox seal(String purpose, byte[] secret) {
        byte[] iv = new byte[IV_BYTES];
        RANDOM.nextBytes(iv);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, sealing, iv, purpose).doFinal(secret);
            Base64.Encoder base64 = Base64.getEncoder();
            int length = sealed.length - TAG_BYTES;
            return new SealedBox(ALGORITHM, current, base64.encodeToString(iv),
                    base64.encodeToString(Arrays.copyOf(sealed, length)),
                    base64.encodeToString(Arrays.copyOfRange(sealed, length, sealed.length)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES-256-GCM", e);
        }
    }

    /// Opens a secret.
    ///
    /// @throws SealException when no key of this ring opens it, it was sealed for another purpose, or it was changed
    public byte[] open(String purpose, SealedBox box) {
        SecretKey key = keys.get(box.keyId());
        if (key == null)
            throw new SealException("it is sealed with the key '" + box.keyId() + "', and this process has "
                    + String.join(", ", keys.keySet()));
        if (!box.algorithm().equals(ALGORITHM))
            throw new SealException("it is sealed by '" + box.algorithm() + "', and this version knows " + ALGORITHM);
        try {
            Base64.Decoder base64 = Base64.getDecoder();
            byte[] text = base64.decode(box.ciphertext());
            byte[] tag = base64.decode(box.tag());
            byte[] sealed = Arrays.copyOf(text, text.length + tag.length);
            System.arraycopy(tag, 0, sealed, text.length, tag.length);
            return cipher(Cipher.DECRYPT_MODE, key, base64.decode(box.iv()), purpose).doFinal(sealed);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SealException("the key '" + box.keyId() + "' does not open it: it was sealed for another place,"
                    + " or changed", e);
        }
    }

    /// Signs a text with the current key.
    public byte[] sign(String text) {
        return mac(sealing, text);
    }

    /// True if a key of this ring has signed the text.
    public boolean isSigned(String text, byte[] signature) {
        boolean signed = false;
        for (SecretKey key : keys.values())
            signed |= MessageDigest.isEqual(mac(key, text), signature);
        return signed;
    }

    private static byte[] mac(SecretKey key, String text) {
        try {
            SecretKey derived = KDF.getInstance("HKDF-SHA256").deriveKey("HmacSHA256", HKDFParameterSpec.ofExtract()
                    .addIKM(key).thenExpand("toolfleet oauth state".getBytes(StandardCharsets.UTF_8), KEY_BYTES));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(derived);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HKDF or HMAC with SHA-256", e);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] iv, String purpose) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, iv));
        cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    /// Shows no key.
    @Override
    public String toString() {
        return "KeyRing[" + String.join(", ", keys.keySet()) + ", current " + current + "]";
    }
}
