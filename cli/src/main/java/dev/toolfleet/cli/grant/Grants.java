package dev.toolfleet.cli.grant;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.seal.KeySource;
import dev.toolfleet.oauth.view.GrantReader;
import dev.toolfleet.oauth.view.GrantView;
import dev.toolfleet.oauth.view.OrderWriter;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.SealedBox;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Grants of a fleet that runs elsewhere: shows, revokes and seals them anew. No command opens a token.
///
/// **Threads.** One.
public final class Grants implements AutoCloseable {
    private static final Duration READ_WITHIN = Duration.ofSeconds(30);
    private static final Duration DONE_WITHIN = Duration.ofSeconds(30);
    private static final int WIDEST = 40;

    private final RemoteFleet fleet;
    private final Map<String, String> environment;
    private final GrantView view = new GrantView();
    private final GrantReader reader;

    /// Reads the grants of the moment.
    ///
    /// @param environment with the fleet's keys, for what writes
    /// @throws Failure when they cannot be read
    public Grants(RemoteFleet fleet, Map<String, String> environment) {
        this.fleet = fleet;
        this.environment = Map.copyOf(environment);
        fleet.check(Topic.OAUTH_GRANT, Topic.OAUTH_ORDER);
        this.reader = new GrantReader(fleet.topics(), kafka(), view,
                Set.of(Topic.OAUTH_GRANT));
        try {
            reader.start(READ_WITHIN);
        } catch (IllegalStateException e) {
            throw Failure.failed(String.valueOf(e.getMessage()), e);
        }
    }

    private Map<String, String> kafka() {
        Map<String, String> properties = new HashMap<>();
        fleet.kafka().forEach((name, value) -> properties.put(name, String.valueOf(value)));
        return properties;
    }

    /// Lists grants, the oldest first.
    ///
    /// @param app only of this OAuthApp; null for all
    /// @param user only of this user; null for all
    public int list(@Nullable String app, @Nullable String user, boolean json) {
        Predicate<OAuthGrant> wanted = grant -> (app == null || grant.app().equals(app))
                && (user == null || grant.subjectHash().equals(Digests.sha256(user)));
        List<OAuthGrant> found = view.grants().stream().filter(wanted)
                .sorted(Comparator.comparing(OAuthGrant::updatedAt).thenComparing(OAuthGrant::grantId)).toList();
        if (json) {
            found.forEach(grant -> fleet.terminal().print(shown(grant).toString()));
            return Failure.SUCCESS;
        }
        if (found.isEmpty()) {
            fleet.terminal().print("There are no grants" + (app == null && user == null ? "." : " of that kind."));
            return Failure.SUCCESS;
        }
        Instant now = fleet.clock().instant();
        View look = View.of(fleet.terminal(), now);
        Grid grid = look.grid("grant", "app", "state", "key", "scopes");
        for (OAuthGrant grant : found)
            grid.row(grant.grantId(), View.cell(grant.bundle() + "/" + grant.app(), WIDEST), state(grant, now),
                    key(grant), View.cell(String.join(" ", grant.scopes()), WIDEST));
        fleet.terminal().print(look.lines(grid));
        return Failure.SUCCESS;
    }

    /// Shows one grant.
    public int show(String grantId, boolean json) {
        OAuthGrant grant = known(grantId);
        if (json) {
            fleet.terminal().print(shown(grant).toPrettyString());
            return Failure.SUCCESS;
        }
        Instant now = fleet.clock().instant();
        List<String> lines = List.of("Grant     " + grant.grantId(),
                "App       " + View.shown("OAuthApp/" + grant.app() + " of bundle " + grant.bundle()),
                "Provider  " + View.shown(grant.provider()), "User      " + grant.subjectHash(),
                "Scopes    " + View.shown(String.join(" ", grant.scopes())), "State     " + state(grant, now),
                "Refresh   " + (grant.refreshable() ? "yes" : "no")
                        + (grant.refreshError() == null ? "" : "; the last one failed: " + grant.refreshError()),
                "Key       " + key(grant), "Written   " + grant.updatedAt() + ", version " + grant.version());
        fleet.terminal().print(lines);
        return Failure.SUCCESS;
    }

    private static String state(OAuthGrant grant, Instant now) {
        if (grant.revokedAt() != null)
            return "revoked";
        Instant end = grant.expiresAt();
        if (end == null)
            return "valid";
        if (end.isAfter(now))
            return "valid until " + end;
        return grant.refreshable() ? "to be refreshed" : "expired";
    }

    private static String key(OAuthGrant grant) {
        SealedBox secret = grant.secret();
        return secret == null ? "–" : secret.keyId();
    }

    /// The sealed part has no use for a reader.
    private static ObjectNode shown(OAuthGrant grant) {
        ObjectNode json = Json.MAPPER.valueToTree(grant);
        json.remove("secret");
        SealedBox secret = grant.secret();
        if (secret != null)
            json.put("keyId", secret.keyId());
        return json;
    }

    private OAuthGrant known(String grantId) {
        return view.grant(grantId).orElseThrow(() -> Failure.failed("there is no grant '" + grantId
                + "'; list them with: toolfleet oauth list"));
    }

    /// Revokes a grant, and waits until its owner has done it.
    public int revoke(String grantId) throws InterruptedException {
        OAuthGrant grant = known(grantId);
        if (grant.revokedAt() != null) {
            fleet.terminal().print(grantId + " was revoked at " + grant.revokedAt() + ".");
            return Failure.SUCCESS;
        }
        try (OrderWriter orders = writer(secrets())) {
            orders.write(grantId, new Order.Revoke());
            await(grantId, now -> now.revokedAt() != null);
        }
        fleet.terminal().print(grantId + " is revoked. The next call of its user requests a new authorization.");
        return Failure.SUCCESS;
    }

    /// Seals all grants with the current key, and waits until their owners have done it.
    public int rotate() throws InterruptedException {
        Secrets secrets = secrets();
        String current = secrets.keys().current();
        List<OAuthGrant> old = view.grants().stream().filter(grant -> isOlder(grant, current)).toList();
        try (OrderWriter orders = writer(secrets)) {
            for (OAuthGrant grant : old)
                orders.write(grant.grantId(), new Order.Reseal());
            for (OAuthGrant grant : old)
                await(grant.grantId(), now -> !isOlder(now, current));
        }
        fleet.terminal().print(old.isEmpty()
                ? "All grants are sealed with the key '" + current + "'."
                : old.size() + (old.size() == 1 ? " grant is" : " grants are") + " sealed with the key '" + current
                        + "' now. The older keys can be removed an hour after the last authorization with them.");
        return Failure.SUCCESS;
    }

    private static boolean isOlder(OAuthGrant grant, String current) {
        SealedBox secret = grant.secret();
        return secret != null && !secret.keyId().equals(current);
    }

    private void await(String grantId, Predicate<OAuthGrant> done) throws InterruptedException {
        if (view.await(() -> view.grant(grantId).filter(done), DONE_WITHIN).isEmpty())
            throw Failure.failed("no owner of the grant has done it within " + DONE_WITHIN.toSeconds()
                    + " s; the order stays on oauth.order. Is a worker running that has the same keys?");
    }

    private OrderWriter writer(Secrets secrets) {
        return new OrderWriter(secrets, fleet.topics(), "/toolfleet/cli", kafka());
    }

    private Secrets secrets() {
        String file = fleet.config().worker().section("oauth").text("keyFile", "");
        try {
            return KeySource.of(file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file)), environment).load()
                    .map(Secrets::new)
                    .orElseThrow(() -> Failure.invalid("orders about grants are sealed with the fleet's OAuth key; set "
                            + KeySource.VARIABLE + ", or worker.oauth.keyFile in fleet.yaml"));
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
