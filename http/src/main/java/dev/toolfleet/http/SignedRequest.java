package dev.toolfleet.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Authorization of one `GET` by the fleet's token without sending the token: `Toolfleet-Hmac SECONDS.MAC`. MAC is the
/// HMAC-SHA256 of path and time with the token as key.
///
/// **Why.** Processes of the fleet get each other's addresses from Kafka. Otherwise: a process that joins the group
/// under a chosen address is sent the token. The receiver of a signed request can repeat it elsewhere for [#VALID], and
/// requests change nothing.
final class SignedRequest {
    /// The longest difference between the clocks of two processes.
    static final Duration VALID = Duration.ofMinutes(5);
    static final String SCHEME = "Toolfleet-Hmac ";
    private static final String CONTENT = "toolfleet-request-v1\nGET\n";

    private SignedRequest() {}

    static String authorization(String token, URI uri, Instant now) {
        String target = uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
        long seconds = now.getEpochSecond();
        return SCHEME + seconds + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(mac(token, target, seconds));
    }

    /// True if the header's value authorizes a `GET` of that target now.
    ///
    /// @param target path and query as they came
    static boolean isIn(String authorization, String token, String target, Instant now) {
        if (!authorization.startsWith(SCHEME))
            return false;
        int dot = authorization.indexOf('.', SCHEME.length());
        try {
            long seconds = Long.parseLong(authorization, SCHEME.length(), Math.max(dot, SCHEME.length()), 10);
            byte[] mac = Base64.getUrlDecoder().decode(authorization.substring(dot + 1));
            return Math.abs(Math.subtractExact(now.getEpochSecond(), seconds)) <= VALID.toSeconds()
                    && MessageDigest.isEqual(mac, mac(token, target, seconds));
        } catch (IllegalArgumentException | ArithmeticException e) {
            return false;
        }
    }

    private static byte[] mac(String token, String target, long seconds) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal((CONTENT + target + "\n" + seconds).getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
