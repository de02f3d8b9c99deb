package dev.toolfleet.session.message;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.session.message.MessageFold.Added;
import dev.toolfleet.session.message.MessageFold.Emptied;
import dev.toolfleet.session.message.MessageFold.Leased;
import dev.toolfleet.session.message.MessageFold.Refused;
import dev.toolfleet.session.message.MessageFold.Removed;
import dev.toolfleet.session.message.MessageFold.Repeated;
import dev.toolfleet.session.message.MessageFold.Replaced;
import dev.toolfleet.session.message.MessageFold.TargetMissing;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.SessionLease;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static dev.toolfleet.wire.MessageEvent.Type.APPEND;
import static dev.toolfleet.wire.MessageEvent.Type.LEASE;
import static dev.toolfleet.wire.MessageEvent.Type.REMOVE;
import static dev.toolfleet.wire.MessageEvent.Type.REPLACE;
import static dev.toolfleet.wire.MessageEvent.Type.TRUNCATE;
import static org.assertj.core.api.Assertions.assertThat;

class MessageFoldTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void eventsOfAllKindsFoldInOrder() {
        List<String> messages = new ArrayList<>(List.of("base"));
        for (MessageEvent event : List.of(event(APPEND, "a", null), event(APPEND, "b", null), event(REPLACE, "c", "a"),
                event(REMOVE, null, "base"), event(REMOVE, null, "none"), event(APPEND, "b", null)))
            apply(messages, event);
        assertThat(messages).containsExactly("c", "b");
        apply(messages, event(TRUNCATE, null, null));
        assertThat(messages).isEmpty();
    }

    @Test
    void repeatedAppendIsIgnoredEvenWhenItExpectsAnOlderState() {
        assertThat(MessageFold.decide(state(5, null), event(APPEND, "a", null).expecting(4), "a"::equals, NOW))
                .isEqualTo(new Repeated());
    }

    @Test
    void replacementTakesNoOtherMessagesId() {
        MessageEvent event = event(REPLACE, "b", "a");
        assertThat(MessageFold.decide(null, event, List.of("a", "b")::contains, NOW))
                .isEqualTo(new Refused("another message has the id 'b' of the new one"));
        assertThat(MessageFold.decide(null, event(REPLACE, "a", "a"), "a"::equals, NOW)).isInstanceOf(Replaced.class);
    }

    @Test
    void staleWriterIsRefused() {
        assertThat(MessageFold.decide(state(5, null), event(APPEND, "a", null).expecting(4), id -> false, NOW))
                .isEqualTo(new Refused("expectedSeq is 4, and the session has 5; read its messages and decide anew"));
        assertThat(MessageFold.decide(null, event(APPEND, "a", null).expecting(0), id -> false, NOW))
                .isInstanceOf(Added.class);
    }

    @Test
    void leaseKeepsOtherWritersOut() {
        SessionLease lease = new SessionLease("run-1", 3, NOW.plusSeconds(10));
        assertThat(decide(lease, event(APPEND, "a", null), NOW)).isInstanceOf(Refused.class);
        assertThat(decide(lease, event(APPEND, "a", null).under(2), NOW))
                .isEqualTo(new Refused("the event's lease 2 is over, and run-1 holds lease 3 until " + lease.until()));
        assertThat(decide(lease, event(APPEND, "a", null).under(3), NOW)).isInstanceOf(Added.class);
        assertThat(decide(lease, event(APPEND, "a", null), lease.until())).isInstanceOf(Added.class);
    }

    @Test
    void resultsPassALease() {
        SessionMessage result = message("r", MessageSource.Type.TOOL);
        assertThat(decide(new SessionLease("run-1", 3, NOW.plusSeconds(10)),
                MessageEvent.append("i", "a", result, "session-service"), NOW)).isEqualTo(new Added(result));
    }

    @Test
    void leaseIsRenewedByItsHolderAndTakenAfterItsEnd() {
        SessionLease lease = new SessionLease("run-1", 3, NOW.plusSeconds(10));
        MessageEvent renewal = event(LEASE, null, null);
        assertThat(decide(lease, renewal, NOW.plusSeconds(9)))
                .isEqualTo(new Leased(new SessionLease("run-1", 3, NOW.plusSeconds(39))));
        assertThat(decide(new SessionLease("run-2", 3, NOW.plusSeconds(10)), renewal, NOW))
                .isInstanceOf(Refused.class);
        assertThat(decide(new SessionLease("run-2", 3, NOW), renewal, NOW))
                .isEqualTo(new Leased(new SessionLease("run-1", 4, NOW.plusSeconds(30))));
    }

    private static MessageFold.Change decide(@Nullable SessionLease lease, MessageEvent event, Instant now) {
        return MessageFold.decide(state(5, lease), event, id -> false, now);
    }

    private static void apply(List<String> messages, MessageEvent event) {
        switch (MessageFold.decide(null, event, messages::contains, NOW)) {
            case Added added -> messages.add(added.message().id());
            case Replaced replaced -> messages.set(messages.indexOf(replaced.targetId()), replaced.message().id());
            case Removed removed -> messages.remove(removed.targetId());
            case Emptied emptied -> messages.clear();
            case Repeated repeated -> assertThat(event.type()).isEqualTo(APPEND);
            case TargetMissing missing -> assertThat(missing.targetId()).isEqualTo("none");
            case Refused refused -> throw new AssertionError(refused);
            case Leased leased -> throw new AssertionError(leased);
            case MessageFold.Compacted compacted -> throw new AssertionError(compacted);
            case MessageFold.CompactionRequested requested -> throw new AssertionError(requested);
        }
    }

    private static SessionState state(long seq, @Nullable SessionLease lease) {
        return new SessionState("i", "a", seq, 1, 1, 100, "safe", null, "", lease, lease == null ? 0 : lease.token(),
                NOW);
    }

    private static MessageEvent event(MessageEvent.Type type, @Nullable String id, @Nullable String targetId) {
        SessionMessage message = id == null ? null : message(id, MessageSource.Type.USER);
        return new MessageEvent(type, "i", "a", null, null, null, message, targetId, null,
                type == LEASE ? 30_000L : null, "run-1", NOW);
    }

    private static SessionMessage message(String id, MessageSource.Type type) {
        return new SessionMessage(id, JsonNodeFactory.instance.objectNode().put("role", "user").put("content", id),
                null,
                NOW, MessageSource.of(type));
    }
}
