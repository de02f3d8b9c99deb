package dev.toolfleet.gateway.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

import dev.toolfleet.http.BearerToken;
import dev.toolfleet.json.Json;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.wire.SealedBox;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Sessions of people's browsers at the pages of gateways. A session is a sealed cookie and stands nowhere else.
///
/// **Contract.** Every gateway with the same internal token reads the sessions of the others. Without an internal token
/// the key is random, and a session ends with its gateway. A session holds the person's token, which is checked at each
/// request: it ends when the token does, and after [#LIFETIME].
///
/// **Threads.** Thread-safe.
public final class BrowserSessions {
    /// Path of the pages.
    public static final String PAGES = "/console";
    /// The longest life of a session.
    public static final Duration LIFETIME = Duration.ofHours(12);
    /// The largest token that fits into a cookie, in characters.
    public static final int MAX_TOKEN = 2_600;
    private static final String NAME = "toolfleet-console";
    /// Browsers take a cookie of this name over TLS only, and from this host only.
    private static final String SECURE_NAME = "__Host-" + NAME;
    private static final String PURPOSE = "browser-session";
    private static final int KEY_BYTES = 32;
    private static final int CSRF_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyRing keys;
    private final boolean secure;
    private final InstantSource clock;

    /// Session of one browser.
    ///
    /// @param token the person's token; empty at a gateway without principals
    /// @param csrf text that each form of the session's pages must send back
    public record Session(String token, String csrf) {
        /// True if a form has sent the right text. Takes the same time for every other one.
        public boolean isOwn(@Nullable String sent) {
            return sent != null && MessageDigest.isEqual(bytes(csrf), bytes(sent));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    /// @param internal the token that all gateways share
    /// @param secure true if browsers reach the gateway over TLS
    BrowserSessions(Optional<BearerToken> internal, boolean secure, InstantSource clock) {
        this.keys = KeyRing.of(Map.of(NAME, internal.map(BrowserSessions::derived).orElseGet(BrowserSessions::random)),
                NAME);
        this.secure = secure;
        this.clock = clock;
    }

    private static SecretKey derived(BearerToken token) {
        return new SecretKeySpec(token.derivedKey(PURPOSE), "AES");
    }

    private static SecretKey random() {
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        return new SecretKeySpec(key, "AES");
    }

    /// True for the path of a page, or of a part of one.
    public static boolean isPage(String path) {
        return path.equals(PAGES) || path.startsWith(PAGES + "/");
    }

    /// Begins a session in place of the present one.
    ///
    /// @param token of a principal, at most [#MAX_TOKEN] characters; empty at a gateway without principals
    public Session begin(Context ctx, String token) {
        byte[] random = new byte[CSRF_BYTES];
        RANDOM.nextBytes(random);
        Session session = new Session(token, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
        Instant end = clock.instant().plus(LIFETIME);
        byte[] content = Json.MAPPER.writeValueAsBytes(Json.MAPPER.createObjectNode().put("token", token)
                .put("csrf", session.csrf()).put("end", end.getEpochSecond()));
        SealedBox box = keys.seal(PURPOSE, content);
        set(ctx, box.iv() + "." + box.ciphertext() + "." + box.tag(), (int) LIFETIME.toSeconds());
        return session;
    }

    /// Ends the browser's session.
    public void end(Context ctx) {
        set(ctx, "", 0);
    }

    private void set(Context ctx, String value, int seconds) {
        ctx.cookie(new Cookie(name(), value, "/", seconds, secure, true, null, SameSite.LAX));
    }

    private String name() {
        return secure ? SECURE_NAME : NAME;
    }

    /// Returns the session of a request; empty without one, and for one that is over or of another key.
    public Optional<Session> read(Context ctx) {
        String cookie = ctx.cookie(name());
        String[] parts = cookie == null ? new String[0] : cookie.split("\\.", -1);
        if (parts.length != 3)
            return Optional.empty();
        try {
            byte[] content = keys.open(PURPOSE, new SealedBox(KeyRing.ALGORITHM, NAME, parts[0], parts[1], parts[2]));
            JsonNode json = Json.MAPPER.readTree(new String(content, StandardCharsets.UTF_8));
            return json.path("end").asLong(0) <= clock.instant().getEpochSecond()
                    ? Optional.empty()
                    : Optional.of(new Session(json.path("token").asString(""), json.path("csrf").asString("")));
        } catch (SealException | JacksonException e) {
            return Optional.empty();
        }
    }
}
