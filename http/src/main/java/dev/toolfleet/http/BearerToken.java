package dev.toolfleet.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Pattern;

import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

import dev.toolfleet.json.Digests;

/// The token that requests must carry as `Authorization: Bearer …` (RFC 6750). Its text form is stars.
public final class BearerToken {
    /// The least number of characters; a shorter token could be guessed.
    public static final int MIN_LENGTH = 16;
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");
    private static final int DERIVED_BYTES = 32;
    private static final String SCHEME = "Bearer ";

    private final String token;
    private final byte[] digest;

    /// @param key of the setting that holds it, for messages
    /// @throws IllegalArgumentException without the token in its message
    public BearerToken(String key, String token) {
        if (token.length() < MIN_LENGTH)
            throw new IllegalArgumentException(key + " has " + token.length() + " characters and needs "
                    + MIN_LENGTH + " or more; openssl rand -hex 32 makes a good one");
        if (!FORM.matcher(token).matches())
            throw new IllegalArgumentException(key + " may hold letters, digits and -._~+/ only, and = at"
                    + " its end; openssl rand -hex 32 makes a good one");
        this.token = token;
        this.digest = digest(token);
    }

    /// True if this value of an `Authorization` header holds the token. The comparison takes the same time for any
    /// value.
    boolean isIn(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(digest, digest(authorization.substring(SCHEME.length()).strip()));
    }

    /// Returns the value of an `Authorization` header with the token itself, for an address that the caller trusts.
    public String authorization() {
        return SCHEME + token;
    }

    /// The value of an `Authorization` header that authorizes a `GET` of this address without the token in it.
    public String signed(URI uri, Instant now) {
        return SignedRequest.authorization(token, uri, now);
    }

    /// True if this value of an `Authorization` header is a recent signature for that target by an owner of the token.
    ///
    /// @param target path and query as they came
    boolean hasSigned(String authorization, String target, Instant now) {
        return SignedRequest.isIn(authorization, token, target, now);
    }

    /// Returns a key of 32 bytes that the owners of the token share; another one for each purpose. By HKDF (RFC 5869).
    public byte[] derivedKey(String purpose) {
        try {
            return KDF.getInstance("HKDF-SHA256").deriveData(HKDFParameterSpec.ofExtract()
                    .addIKM(token.getBytes(StandardCharsets.UTF_8))
                    .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), DERIVED_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HKDF with SHA-256", e);
        }
    }

    private static byte[] digest(String token) {
        return Digests.newSha256().digest(token.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BearerToken that && MessageDigest.isEqual(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    @Override
    public String toString() {
        return "********";
    }
}
