package dev.toolfleet.oauth.view;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.bundle.OAuthAppSpec.SubjectMode;
import dev.toolfleet.oauth.grant.GrantIds;
import dev.toolfleet.oauth.grant.OAuthApps;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// Source of tokens for the calls of a process: decides by the newest grants, and orders what is missing.
///
/// The order of its decisions is that of the seed (`docs/oauth.md`): app, subject, scopes, grant, refresh, authorization.
///
/// **Threads.** Thread-safe. May wait for the owner of the grant, on the caller's thread.
public final class TokenDesk {
    /// The longest wait for a refresh.
    private static final Duration REFRESH_WAIT = Duration.ofSeconds(20);
    /// The longest wait for the address of an authorization.
    private static final Duration SESSION_WAIT = Duration.ofSeconds(15);
    private static final int VERIFIER_BYTES = 32;
    private static final int NONCE_BYTES = 16;
    private static final int SESSION_BYTES = 6;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final OAuthApps apps;
    private final GrantView view;
    private final Orders orders;
    private final Consumer<String> opened;
    private final InstantSource clock;
    private final OpenedGrants tokens;

    /// Takes orders to the owners of grants.
    @FunctionalInterface
    public interface Orders {
        /// Writes an order, and returns when it is safe.
        ///
        /// @throws KafkaException when it cannot be written
        void write(String grantId, Order order) throws InterruptedException;
    }

    /// Call that needs a token.
    ///
    /// @param bundle the bundle of its Tool
    /// @param app the OAuthApp of that bundle
    /// @param scopes the scopes that the export may use; empty for all of the OAuthApp
    /// @param userId the user; null when the call named none
    /// @param instanceKey the conversation
    /// @param agentName the agent; null when the call named none
    public record Claim(String bundle, String app, List<String> scopes, @Nullable String userId, String instanceKey,
            @Nullable String agentName) {
        /// Copies the scopes.
        public Claim {
            scopes = List.copyOf(scopes);
        }
    }

    /// @param opened receives each access token that a call gets, so that results can be guarded against it
    public TokenDesk(OAuthApps apps, Secrets secrets, GrantView view, Orders orders, Consumer<String> opened,
            InstantSource clock) {
        this.apps = apps;
        this.view = view;
        this.tokens = new OpenedGrants(secrets);
        view.follow(tokens::forget);
        this.orders = orders;
        this.opened = opened;
        this.clock = clock;
    }

    /// Returns a token for a call. Without a grant it begins an authorization.
    ///
    /// @param minTtl the time for which it must be valid, at least
    /// @param requested the scopes that it must have; empty for all of the claim's
    public TokenAnswer answer(Claim claim, Duration minTtl, Collection<String> requested) throws InterruptedException {
        Optional<TokenAnswer> held = held(claim, minTtl, requested);
        return held.isPresent() ? held.get() : authorize(claim, requested, null);
    }

    /// Returns the answer that the grant of a call gives; empty when the person has to authorize first.
    ///
    /// @param minTtl the time for which the token must be valid, at least
    /// @param requested the scopes that it must have; empty for all of the claim's
    public Optional<TokenAnswer> held(Claim claim, Duration minTtl, Collection<String> requested)
            throws InterruptedException {
        Checked checked = check(claim, requested);
        if (checked instanceof Refused(TokenAnswer answer))
            return Optional.of(answer);
        try {
            return held((Wanted) checked, minTtl);
        } catch (KafkaException | SealException e) {
            return Optional.of(unavailable(e));
        }
    }

    /// Begins an authorization, or joins one.
    ///
    /// @param requested the scopes that it must have; empty for all of the claim's
    /// @param handle the pending call that the grant is to resume; null for none
    public TokenAnswer authorize(Claim claim, Collection<String> requested, @Nullable String handle)
            throws InterruptedException {
        Checked checked = check(claim, requested);
        if (checked instanceof Refused(TokenAnswer answer))
            return answer;
        try {
            return authorize((Wanted) checked, claim, handle);
        } catch (KafkaException | SealException e) {
            return unavailable(e);
        }
    }

    private static TokenAnswer unavailable(RuntimeException e) {
        return new TokenAnswer.Failed("unavailable", (e instanceof SealException
                ? "the grant cannot be opened: "
                : "the grant's owner cannot be reached: ") + e.getMessage());
    }

    private sealed interface Checked {}

    private record Refused(TokenAnswer answer) implements Checked {}

    private record Wanted(String grantId, OAuthAppSpec app, String subject, List<String> scopes) implements Checked {}

    private Checked check(Claim claim, Collection<String> requested) {
        Optional<OAuthApps.App> found = apps.find(claim.bundle(), claim.app());
        if (found.isEmpty())
            return refused("oauthAppNotFound",
                    "bundle '" + claim.bundle() + "' has no OAuthApp '" + claim.app() + "'");
        OAuthAppSpec app = found.get().spec();
        String subject = app.subjectMode() == SubjectMode.GLOBAL ? GrantIds.global(claim.bundle()) : claim.userId();
        if (subject == null || subject.isBlank())
            return refused("subjectUnavailable", "OAuthApp '" + app.name()
                    + "' has a grant for each user, and the call has no userId");
        Collection<String> allowed = claim.scopes().isEmpty() ? app.scopes() : claim.scopes();
        List<String> scopes = List.copyOf(requested.isEmpty() ? allowed : requested);
        for (String scope : scopes) {
            if (!allowed.contains(scope) || !app.scopes().contains(scope))
                return refused("scopeNotAllowed", "the scope '" + scope
                        + "' is not among those of the export: " + String.join(", ", allowed));
        }
        return new Wanted(GrantIds.of(claim.bundle(), app.name(), subject), app, subject, scopes);
    }

    private static Refused refused(String code, String message) {
        return new Refused(new TokenAnswer.Failed(code, message));
    }

    private Optional<TokenAnswer> held(Wanted wanted, Duration minTtl) throws InterruptedException {
        // A grant of a lost key is as good as none: the person can mend it, and waiting cannot.
        OAuthGrant grant = view.grant(wanted.grantId())
                .filter(known -> covers(known, wanted.scopes()) && tokens.opens(known)).orElse(null);
        if (grant == null)
            return Optional.empty();
        if (lasts(grant, minTtl))
            return Optional.of(ready(grant));
        if (!grant.refreshable())
            return Optional.empty();
        long seen = grant.version();
        orders.write(wanted.grantId(), new Order.Refresh(seen));
        Optional<OAuthGrant> next = view.await(
                () -> view.grant(wanted.grantId()).filter(now -> now.version() > seen), REFRESH_WAIT);
        OAuthGrant now = next.orElse(grant);
        // A refreshed token may be valid for less time than the call wants, and another refresh would give no more.
        // Without a refresh, what is left of the old one is better than nothing.
        if (covers(now, wanted.scopes()) && lasts(now, Duration.ZERO))
            return Optional.of(ready(now));
        return next.isEmpty() || (now.revokedAt() == null && now.refreshError() != null)
                ? Optional.of(new TokenAnswer.Failed("refreshFailed", "the authorization server of '"
                        + wanted.app().provider() + "' has not refreshed the token" + (now.refreshError() == null
                                ? " in time"
                                : ": " + now.refreshError())))
                : Optional.empty();
    }

    private static boolean covers(OAuthGrant grant, List<String> scopes) {
        return grant.revokedAt() == null && grant.secret() != null
                && new HashSet<>(grant.scopes()).containsAll(scopes);
    }

    /// A token with exactly the least time left is refreshed.
    private boolean lasts(OAuthGrant grant, Duration minTtl) {
        Instant end = grant.expiresAt();
        if (end == null)
            return true;
        Instant issued = grant.issuedAt() == null ? grant.updatedAt() : grant.issuedAt();
        Duration whole = Duration.between(issued, end);
        // Otherwise: each call refreshes a token whose whole life is shorter.
        Duration least = whole.compareTo(minTtl) <= 0 ? whole.dividedBy(2) : minTtl;
        return end.isAfter(clock.instant().plus(least));
    }

    private TokenAnswer ready(OAuthGrant grant) {
        Secrets.OfGrant secret = tokens.open(grant);
        opened.accept(secret.accessToken());
        return new TokenAnswer.Ready(secret.accessToken(), secret.tokenType(), grant.expiresAt(), grant.scopes());
    }

    private TokenAnswer authorize(Wanted wanted, Claim claim, @Nullable String handle) throws InterruptedException {
        String grantId = wanted.grantId();
        String sessionId = "as-" + HexFormat.of().formatHex(random(SESSION_BYTES));
        orders.write(grantId, new Order.Authorize(sessionId, claim.bundle(), wanted.app().name(), wanted.subject(),
                wanted.scopes(), Base64.getUrlEncoder().withoutPadding().encodeToString(random(VERIFIER_BYTES)),
                HexFormat.of().formatHex(random(NONCE_BYTES)), handle, claim.instanceKey(),
                claim.agentName()));
        // The owner may have joined it to one that is under way.
        Optional<OAuthSession> session = view.await(() -> view.took(grantId, sessionId)
                .filter(taken -> taken.authorizationUrl() != null || !taken.underWay()), SESSION_WAIT);
        if (session.isEmpty())
            return new TokenAnswer.Failed("unavailable",
                    "the authorization could not begin in time; is a worker with the fleet's OAuth key running?");
        OAuthSession begun = session.get();
        if (begun.status() == OAuthSession.Status.COMPLETED) {
            // The person has ended it in this moment.
            Optional<OAuthGrant> granted = view.await(() -> view.grant(grantId)
                    .filter(now -> covers(now, wanted.scopes())), SESSION_WAIT);
            if (granted.isPresent())
                return ready(granted.get());
        }
        String url = begun.authorizationUrl();
        if (url == null)
            return new TokenAnswer.Failed("unavailable", begun.errorDescription() == null
                    ? "the authorization could not begin"
                    : begun.errorDescription());
        return new TokenAnswer.Required(begun.sessionId(), url, begun.userCode(), begun.expiresAt(), "To let this tool"
                + " act for you at " + wanted.app().provider() + ", open the link" + (begun.userCode() == null
                        ? ""
                        : " and enter the code " + begun.userCode())
                + " before " + begun.expiresAt() + ".");
    }

    /// Returns the token of a call that was resumed after an authorization. The grant may reach this process after the
    /// call.
    public TokenAnswer resumed(Claim claim, Duration minTtl) throws InterruptedException {
        if (check(claim, List.of()) instanceof Wanted wanted)
            view.await(() -> view.grant(wanted.grantId()).filter(grant -> covers(grant, wanted.scopes())),
                    SESSION_WAIT);
        return answer(claim, minTtl, List.of());
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
