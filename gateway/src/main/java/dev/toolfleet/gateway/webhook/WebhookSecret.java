package dev.toolfleet.gateway.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Secret of Standard Webhooks 1.0: one key, or during a change the new one and the old one. Its text never appears in
/// messages.
final class WebhookSecret {
    private static final String PREFIX = "whsec_";
    private static final int MIN_BYTES = 24;
    private static final int MAX_BYTES = 64;
    private static final int MAX_KEYS = 2;
    private static final String FORM = "one whsec_… or, while it changes, two with a space between them: whsec_ and the"
            + " Base64 of " + MIN_BYTES + " to " + MAX_BYTES
            + " random bytes; echo \"whsec_$(openssl rand -base64 32)\""
            + " prints one";
    private static final String MAC = "HmacSHA256";

    private final List<SecretKeySpec> keys;

    private WebhookSecret(List<SecretKeySpec> keys) {
        this.keys = List.copyOf(keys);
    }

    /// Reads the text of a setting.
    ///
    /// @throws IllegalArgumentException that describes the form, without the text
    static WebhookSecret parse(String text) {
        List<SecretKeySpec> keys = new ArrayList<>();
        for (String one : text.strip().split(" +", -1))
            keys.add(key(one));
        if (keys.size() > MAX_KEYS)
            throw new IllegalArgumentException(FORM);
        return new WebhookSecret(keys);
    }

    private static SecretKeySpec key(String text) {
        if (!text.startsWith(PREFIX))
            throw new IllegalArgumentException(FORM);
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text.substring(PREFIX.length()));
        } catch (IllegalArgumentException e) {
            // Without the cause, which quotes the text.
            throw new IllegalArgumentException(FORM);
        }
        if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES)
            throw new IllegalArgumentException(FORM);
        return new SecretKeySpec(bytes, MAC);
    }

    /// Returns the header `webhook-signature`: `v1,` and the Base64 of the HMAC over `id.timestamp.body`, for each key.
    String sign(String id, long timestamp, byte[] body) {
        List<String> signatures = new ArrayList<>();
        try {
            for (SecretKeySpec key : keys) {
                Mac mac = Mac.getInstance(MAC);
                mac.init(key);
                mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
                signatures.add("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)));
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + MAC, e);
        }
        return String.join(" ", signatures);
    }

    @Override
    public String toString() {
        return PREFIX + "…";
    }
}
