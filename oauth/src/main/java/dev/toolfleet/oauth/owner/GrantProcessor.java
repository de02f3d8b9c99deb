package dev.toolfleet.oauth.owner;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
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
    /// The pause of a grant whose state was written by another version.
    private static final Duration UNREADABLE = Duration.ofMinutes(1);
    private static final WireCodec<OAuthOrder> ORDERS = WireCodec.of(OAuthOrder.class);
    private static final WireCodec<OAuthGrant> GRANTS = WireCodec.of(OAuthGrant.class);
    private static final WireCodec<OAuthSession> SESSIONS = WireCodec.of(OAuthSession.class);
    private static final WireCodec<AgentEvent> EVENTS = WireCodec.of(AgentEvent.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);

    private final GrantRules rules;
    private final Secrets secrets;
    private final Function<ServerRequest, ServerReply> servers;
    private final RequestRoom room;
    private final InstantSource clock;
    private final DeadLetters deadLetters = new DeadLetters(SOURCE);
    private @Nullable Bound bound;

    private record Bound(ProcessorContext<byte[], Outgoing> context, GrantStores stores, ServerTasks tasks) {}

    GrantProcessor(GrantRules rules, Secrets secrets, Function<ServerRequest, ServerReply> servers,
            RequestRoom room, InstantSource clock) {
        this.rules = rules;
        this.secrets = secrets;
        this.servers = servers;
        this.room = room;
        this.clock = clock;
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> context) {
        bound = new Bound(context, new GrantStores(context), new ServerTasks(servers, room));
        context.schedule(LOOK_EVERY, PunctuationType.WALL_CLOCK_TIME, time -> look());
    }

    @Override
    public void close() {
        if (bound != null)
            bound.tasks().close();
        bound = null;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        String grantId = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
        Optional<byte[]> stored = bound().stores().stored(grantId);
        Change change;
        try {
            if (record.key() == null || record.value() == null)
                throw new WireFormatException("an order has a key and a value");
            OAuthOrder order = ORDERS.read(record.value());
            // Sealed for the grant of the key, so that no order reaches another's owner.
            Order opened = secrets.order(grantId, order.secret());
            GrantState before = GrantStores.read(stored);
            change = new Change(before, rules.ordered(grantId, before, opened, clock.instant()));
        } catch (WireFormatException | SealException | IllegalStateException e) {
            refuse(record, String.valueOf(e.getMessage()));
            return;
        } catch (RuntimeException e) {
            // Otherwise: the thread ends, and its heir reads the same order and ends, too. The message may be secret.
            LOG.atError().addKeyValue("grant", grantId).addKeyValue("reason", e.getClass().getName())
                    .log("order about a grant could not be carried out");
            refuse(record, "it could not be carried out: " + e.getClass().getSimpleName());
            return;
        }
        carryOut(grantId, change);
    }

    private record Change(GrantState before, GrantStep step) {}

    private void look() {
        Bound in = bound();
        List<ServerTasks.Answer> answers = in.tasks().take();
        for (ServerTasks.Answer answer : answers)
            answered(answer.grantId(), answer.taskId(), answer.reply());
        in.tasks().applied(answers.size());
        Instant now = clock.instant();
        for (GrantStores.Entry entry : in.stores().due(now.toEpochMilli(), MOST_DUE))
            due(entry, now);
    }

    private void due(GrantStores.Entry entry, Instant now) {
        GrantStores stores = bound().stores();
        Optional<byte[]> stored = stores.stored(entry.grantId());
        Change change;
        try {
            GrantState before = GrantStores.read(stored);
            change = new Change(before, rules.timePassed(before, now));
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("grant", entry.grantId()).addKeyValue("reason", e.getMessage())
                    .log("grant left out for a while: its state cannot be used");
            stores.postpone(entry, now.plus(UNREADABLE));
            return;
        }
        stores.settle(entry, change.before());
        carryOut(entry.grantId(), change);
        for (GrantRules.Due due : GrantRules.dueTasks(change.step().next(), now))
            begin(entry.grantId(), change.step().next(), due);
    }

    private void begin(String grantId, GrantState state, GrantRules.Due due) {
        Optional<ServerRequest> request = Optional.empty();
        try {
            request = rules.request(state, due.taskId());
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("grant", grantId).addKeyValue("reason", e.getMessage())
                    .log("request left out: its secret cannot be opened");
        }
        if (request.isPresent())
            bound().tasks().begin(grantId, due.taskId(), due.at().toEpochMilli(), request.get());
        else
            answered(grantId, due.taskId(),
                    new ServerReply.Refused("unavailable", "what the request needs is not there any more"));
    }

    /// An answer that cannot be used ends its task. Otherwise: the thread ends, and its heir makes the same request
    /// and ends, too.
    private void answered(String grantId, String taskId, ServerReply reply) {
        Optional<byte[]> stored = bound().stores().stored(grantId);
        Change change;
        try {
            GrantState before = GrantStores.read(stored);
            change = new Change(before, replied(grantId, before, taskId, reply));
            GrantRules.unrevoked(before, taskId, reply).ifPresent(code -> LOG.atWarn().addKeyValue("grant", grantId)
                    .addKeyValue("reason", code).log("tokens not revoked at their authorization server"));
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("grant", grantId).addKeyValue("task", taskId)
                    .addKeyValue("reason", e.getMessage()).log("answer dropped: the grant's state cannot be read");
            return;
        }
        carryOut(grantId, change);
    }

    private GrantStep replied(String grantId, GrantState state, String taskId, ServerReply reply) {
        try {
            return rules.replied(grantId, state, taskId, reply, clock.instant());
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("grant", grantId).addKeyValue("task", taskId)
                    .addKeyValue("reason", e instanceof SealException ? e.getMessage() : e.getClass().getName())
                    .log("answer of an authorization server could not be used");
            return rules.replied(grantId, state, taskId,
                    new ServerReply.Refused("unavailable", "the fleet could not use the answer"), clock.instant());
        }
    }

    private void carryOut(String grantId, Change change) {
        bound().stores().change(grantId, change.before(), change.step().next());
        for (GrantEffect effect : change.step().effects()) {
            switch (effect) {
                case GrantEffect.Publish(OAuthGrant grant) -> send(GRANT_SINK, EventType.OAUTH_GRANT, grantId,
                        grantId + "/" + grant.version() + "/" + grant.updatedAt().toEpochMilli(), GRANTS.write(grant));
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
