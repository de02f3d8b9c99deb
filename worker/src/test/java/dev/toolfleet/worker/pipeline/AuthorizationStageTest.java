package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.oauth.grant.OAuthApps;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.oauth.view.GrantView;
import dev.toolfleet.oauth.view.TokenDesk;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.ApprovalQuestion;
import dev.toolfleet.worker.call.CallFacts.Ruled;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class AuthorizationStageTest {
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
    private static final Instant END = NOW.plusSeconds(600);
    private static final OAuthAppSpec APP = OAuthAppSpec.of((ObjectNode) Json.MAPPER.readTree("""
            {"apiVersion":"toolfleet.dev/v1","kind":"OAuthApp","metadata":{"name":"chat"},"spec":{
              "provider":"Chat","flow":"authorizationCode","subjectMode":"user","client":{"clientId":"toolfleet"},
              "endpoints":{"authorizationUrl":"https://chat.example/auth","tokenUrl":"https://chat.example/token"},
              "scopes":["read"],"redirect":{"callbackPath":"/oauth/callback"}}}
            """));

    private final GrantView view = new GrantView();
    private final List<Order> orders = new ArrayList<>();
    private final RegisteredTool tool = TestResources.authorized();
    private final OAuthApps apps = (bundle, name) -> Optional.of(new OAuthApps.App(APP, Optional.of("toolfleet")));
    private final AuthorizationStage stage = new AuthorizationStage(
            Optional.of(new TokenDesk(apps, new Secrets(KeyRing.parse(KeyRing.newEntry("k1"), "a test")), view,
                    this::ordered, token -> {}, InstantSource.fixed(NOW))),
            1, () -> "h-1", InstantSource.fixed(NOW));

    @Test
    void callWaitsAMinuteLongerThanItsAuthorization() throws Exception {
        Ruled run = run(call(null), null);

        assertThat(missing(run)).isInstanceOf(ToolReply.Pending.class);
        ApprovalQuestion asking = requireNonNull(run.now().asking());
        assertThat(asking.until()).as("the code may be exchanged after the authorization's end")
                .isEqualTo(END.plus(Duration.ofMinutes(1)));
        assertThat(asking.kind()).isEqualTo(PendingCall.Kind.AUTHORIZATION);
        assertThat(asking.kind().isQuestion()).as("guarded as a question, also after a hand-over").isTrue();
        assertThat(orders).hasSize(1);
    }

    @Test
    void callNeverWaitsLongerThanItsDeadline() throws Exception {
        Ruled run = run(call(NOW.plusSeconds(30)), null);

        assertThat(missing(run)).isInstanceOf(ToolReply.Pending.class);
        assertThat(requireNonNull(run.now().asking()).until()).isEqualTo(NOW.plusSeconds(30));
    }

    // Otherwise: a person gets a link that resumes no call.
    @Test
    void callThatMayNotWaitBeginsNoAuthorization() throws Exception {
        assertThat(code(missing(run(call(NOW), null)))).isEqualTo(ErrorCode.E_TOOL_TIMEOUT.name());
        PartitionState partition = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), () -> 0);
        Identified other = identified(call("c2", 1, null));
        partition.judge(other.call());
        assertThat(partition.mayAsk(other.call(), 1)).isTrue();
        assertThat(code(missing(run(call(null), partition)))).isEqualTo(ErrorCode.E_TOOL_RATE_LIMITED.name());

        assertThat(orders).isEmpty();
    }

    private @Nullable ToolReply missing(Ruled run) throws InterruptedException {
        return stage.missing(run, run.call().arrival().call(), tool);
    }

    private static String code(@Nullable ToolReply reply) {
        return ((ToolReply.Failed) requireNonNull(reply)).error().code();
    }

    private Ruled run(ToolCall call, @Nullable PartitionState partition) {
        Identified run = identified(call);
        if (partition != null)
            partition.judge(run.call());
        Recalled known = run.recalledBy(partition);
        Ruled ruled = TestCalls.allowed(known);
        return ruled.reached(ruled.of(tool, new ToolRef("acme", "t", "run")));
    }

    private static Identified identified(ToolCall call) {
        return Identified
                .of(IdentifiedCall.of(new Arrival.Call(new Position(3, 7, requireNonNull(call.stepIndex())), call,
                        NOW.toEpochMilli(), null, 10)), NOW.toEpochMilli());
    }

    private static ToolCall call(@Nullable Instant deadline) {
        return call("c1", 0, deadline);
    }

    private static ToolCall call(String id, int index, @Nullable Instant deadline) {
        return new ToolCall(id, "t__run", Json.MAPPER.createObjectNode(), "i", "coder", "t", "s", index, null, "ann",
                null, null, deadline, null, null, null, null);
    }

    private void ordered(String grantId, Order order) {
        orders.add(order);
        if (order instanceof Order.Authorize authorize) {
            OAuthSession session = new OAuthSession(authorize.sessionId(), grantId, "acme", "chat", "Chat", "h",
                    authorize.scopes(), OAuthSession.Status.PENDING, "https://chat.example/auth?state=x", null, null,
                    null, null, null, NOW, END, null);
            view.session(session.sessionId(), WireCodec.of(OAuthSession.class).write(session));
        }
    }
}
