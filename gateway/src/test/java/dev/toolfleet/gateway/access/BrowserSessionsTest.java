package dev.toolfleet.gateway.access;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.http.BearerToken;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BrowserSessionsTest {
    private static final Instant NOW = Instant.parse("2026-11-28T20:00:00Z");
    private static final Optional<BearerToken> TOKEN = Optional.of(new BearerToken("k", "an-internal-token-1"));

    private final Map<String, Cookie> jar = new ConcurrentHashMap<>();
    private final Context browser = browser();
    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);

    /// Browser that keeps cookies: the two methods of a context that sessions use.
    private Context browser() {
        return (Context) Proxy.newProxyInstance(Context.class.getClassLoader(), new Class<?>[]{Context.class},
                (proxy, method, arguments) -> {
                    if (arguments[0] instanceof Cookie cookie) {
                        jar.put(cookie.getName(), cookie);
                        return proxy;
                    }
                    Cookie kept = jar.get(String.valueOf(arguments[0]));
                    return kept == null ? null : kept.getValue();
                });
    }

    private BrowserSessions sessions(Optional<BearerToken> token, boolean secure) {
        return new BrowserSessions(token, secure, now::get);
    }

    @Test
    void everyGatewayWithTheInternalTokenReadsASession() {
        String csrf = sessions(TOKEN, false).begin(browser, "person's token").csrf();

        assertThat(sessions(TOKEN, false).read(browser)).hasValueSatisfying(session -> {
            assertThat(session.token()).isEqualTo("person's token");
            assertThat(session.isOwn(csrf)).isTrue();
            assertThat(session.isOwn("other")).isFalse();
            assertThat(session.isOwn(null)).isFalse();
        });
    }

    @Test
    void othersReadNothing() {
        sessions(TOKEN, false).begin(browser, "t");

        assertThat(sessions(Optional.of(new BearerToken("k", "another-internal-token")), false).read(browser))
                .isEmpty();
        assertThat(sessions(Optional.empty(), false).read(browser)).isEmpty();
    }

    @Test
    void theCookieDoesNotShowTheToken() {
        sessions(TOKEN, true).begin(browser, "readable-token");

        assertThat(jar.values()).singleElement().satisfies(cookie -> {
            assertThat(cookie.getName()).startsWith("__Host-");
            assertThat(cookie.getValue()).doesNotContain("readable");
            assertThat(cookie.getSecure()).isTrue();
            assertThat(cookie.isHttpOnly()).isTrue();
            assertThat(cookie.getSameSite()).isEqualTo(SameSite.LAX);
            assertThat(cookie.getMaxAge()).isEqualTo(12 * 3600);
        });
    }

    @Test
    void aSessionEndsAfterItsLifetimeWhateverTheBrowserKeeps() {
        BrowserSessions sessions = sessions(TOKEN, false);
        sessions.begin(browser, "t");

        now.set(NOW.plus(BrowserSessions.LIFETIME).minus(Duration.ofSeconds(1)));
        assertThat(sessions.read(browser)).isPresent();
        now.set(NOW.plus(BrowserSessions.LIFETIME));
        assertThat(sessions.read(browser)).isEmpty();
    }

    @Test
    void aChangedCookieIsNone() {
        BrowserSessions sessions = sessions(TOKEN, false);
        sessions.begin(browser, "t");
        Cookie cookie = jar.values().iterator().next();
        for (String value : new String[]{"", "x", "a.b.c", cookie.getValue() + "A", "A" + cookie.getValue()}) {
            jar.put(cookie.getName(), new Cookie(cookie.getName(), value));
            assertThat(sessions.read(browser)).as(value).isEmpty();
        }
    }

    @Test
    void theLargestTokenFitsIntoACookie() {
        sessions(TOKEN, true).begin(browser, "x".repeat(BrowserSessions.MAX_TOKEN));

        assertThat(jar.values()).singleElement()
                .satisfies(cookie -> assertThat(cookie.getName().length() + cookie.getValue().length() + 80)
                        .isLessThan(4_096));
    }
}
