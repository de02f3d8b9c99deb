package dev.toolfleet.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.regex.Pattern;

import dev.toolfleet.json.Digests;

/// What requests have to carry as `Authorization: Bearer …` (RFC 6750). Prints as stars.
public final class BearerToken {
    /// Fewer characters could be guessed.
    public static final int MIN_LENGTH = 16;
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");
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

    /// Whether this is the value of an `Authorization` header with this token. Takes as long for any token.
    boolean isIn(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(digest, digest(authorization.substring(SCHEME.length()).strip()));
    }

    /// The value of an `Authorization` header.
    public String authorization() {
        return SCHEME + token;
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
