package dev.toolfleet.oauth.owner;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.oauth.grant.GrantEffect;
import dev.toolfleet.oauth.grant.GrantRules;
import dev.toolfleet.oauth.grant.GrantState;
import dev.toolfleet.oauth.grant.GrantStep;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.grant.ServerRequest;
import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.streams.DeadLetters;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthOrder;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Owner of one partition's grants: carries out orders, makes requests to authorization servers, and takes their answers.
///
/// An order that cannot be read, or that was not sealed with the fleet's key, becomes a dead letter. A failure to
/// store or to send ends the thread.
final class GrantProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
    static final String SOURCE = "/toolfleet/oauth";
    static final String GRANT_SINK = "to-grant";
    static final String SESSION_SINK = "to-session";
    static final String EVENT_SINK = "to-agent-event";
    static final String DECISION_SINK = "to-decision";
    static final String DEAD_LETTER_SINK = "to-dead-letter";
    private static final Logger LOG = LoggerFactory.getLogger(GrantProcessor.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final int MOST_DUE = 1_000;
    private static final WireCodec<OAuthOrder> ORDERS = WireCodec.of(OAuthOrder.class);
    private static final WireCodec<OAuthGrant> GRANTS = WireCodec.of(OAuthGrant.class);
    private static final WireCodec<OAuthSession> SESSIONS = WireCodec.of(OAuthSession.class);
    private static final WireCodec<AgentEvent> EVENTS = WireCodec.of(AgentEvent.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);

    private final GrantRules rules;
    private final Secrets secrets;
    private final Function<ServerRequest, ServerReply> servers;
    private final InstantSource clock;
    private final DeadLetters deadLetters = new DeadLetters(SOURCE);
    private @Nullable Bound bound;

    private record Bound(ProcessorContext<byte[], Outgoing> context, GrantStores stores, ServerTasks tasks) {}

    GrantProcessor(GrantRules rules, Secrets secrets, Function<ServerRequest, ServerReply> servers,
            InstantSource clock) {
        this.rules = rules;
        this.secrets = secrets;
        this.servers = servers;
        this.clock = clock;
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> context) {
        bound = new Bound(context, new GrantStores(context), new ServerTasks(servers));
        context.schedule(LOOK_EVERY, PunctuationType.WALL_CLOCK_TIME, time -> look());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        try {
            if (record.key() == null || record.value() == null)
                throw new WireFormatException("an order has a key and a value");
            OAuthOrder order = ORDERS.read(record.value());
            String grantId = new String(record.key(), StandardCharsets.UTF_8);
            // Sealed for the grant of the key, so that no order reaches another's owner.
            Order opened = secrets.order(grantId, order.secret());
            step(grantId, state -> rules.ordered(grantId, state, opened, clock.instant()));
        } catch (WireFormatException | SealException | IllegalStateException e) {
            refuse(record, String.valueOf(e.getMessage()));
        }
    }

    private void look() {
        Bound in = bound();
        for (ServerTasks.Answer answer : in.tasks().take())
            step(answer.grantId(), state -> rules.replied(answer.grantId(), state, answer.taskId(), answer.reply(),
                    clock.instant()));
        Instant now = clock.instant();
        for (String grantId : in.stores().due(now.toEpochMilli(), MOST_DUE)) {
            step(grantId, state -> rules.timePassed(state, now));
            GrantState state = in.stores().state(grantId);
            for (GrantRules.Due due : GrantRules.dueTasks(state, now)) {
                if (!begin(grantId, state, due))
                    return;
            }
        }
    }

    private boolean begin(String grantId, GrantState state, GrantRules.Due due) {
        Optional<ServerRequest> request = Optional.empty();
        try {
            request = rules.request(state, due.taskId());
        } catch (SealException e) {
            LOG.atError().addKeyValue("grant", grantId).addKeyValue("reason", e.getMessage())
                    .log("request left out: its secret cannot be opened");
        }
        if (request.isPresent())
            return bound().tasks().begin(grantId, due.taskId(), due.at().toEpochMilli(), request.get());
        step(grantId, now -> rules.replied(grantId, now, due.taskId(),
                new ServerReply.Refused("unavailable", "what the request needs is not there any more"),
                clock.instant()));
        return true;
    }

    private void step(String grantId, Function<GrantState, GrantStep> rule) {
        Bound in = bound();
        GrantState before = in.stores().state(grantId);
        GrantStep step = rule.apply(before);
        in.stores().change(grantId, before, step.next());
        for (GrantEffect effect : step.effects()) {
            switch (effect) {
                case GrantEffect.Publish(OAuthGrant grant) -> send(GRANT_SINK, EventType.OAUTH_GRANT, grantId,
                        grantId + "/" + grant.version(), GRANTS.write(grant));
                case GrantEffect.Show(OAuthSession session) -> send(SESSION_SINK, EventType.OAUTH_SESSION,
                        session.sessionId(), session.sessionId() + "/" + session.status(), SESSIONS.write(session));
                case GrantEffect.Forget(String sessionId) -> send(SESSION_SINK, EventType.OAUTH_SESSION, sessionId,
                        sessionId + "/end", null);
                case GrantEffect.Tell(AgentEvent event) -> send(EVENT_SINK, EventType.AGENT_EVENT,
                        event.to().instanceKey(), event.id(), EVENTS.write(event));
                case GrantEffect.Decide(Decision decision) -> send(DECISION_SINK, EventType.TOOL_DECISION,
                        decision.handle(), decision.handle() + "/oauth", DECISIONS.write(decision));
            }
        }
    }

    private void send(String sink, EventType type, String key, String id, byte @Nullable [] value) {
        Map<String, String> headers = WireHeaders.cloudEvent(type, id, SOURCE, key, clock.instant(), null);
        bound().context().forward(new Record<>(key.getBytes(StandardCharsets.UTF_8), Outgoing.anywhere(value),
                bound().context().currentSystemTimeMs(), KafkaHeaders.of(headers)), sink);
    }

    private void refuse(Record<byte[], byte[]> record, String reason) {
        String origin = bound().context().recordMetadata().map(DeadLetters::origin).orElse("");
        LOG.atWarn().addKeyValue("origin", origin).addKeyValue("reason", reason)
                .log("order about a grant became a dead letter");
        bound().context().forward(deadLetters.of(record, origin, reason), DEAD_LETTER_SINK);
    }

    private Bound bound() {
        return Optional.ofNullable(bound).orElseThrow(() -> new IllegalStateException("process before init"));
    }
}
