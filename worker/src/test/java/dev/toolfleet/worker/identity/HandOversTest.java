package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class HandOversTest {
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);

    private final HandOvers handOvers = new HandOvers();

    HandOversTest() {
        handOvers.opened(0, Map.of("call", intent("call", 2, "member-1")));
    }

    @Test
    void whatAnEarlierOwnerSaysOfAnOpenCallIsKept() throws Exception {
        HandOver said = said("call", 2, "member-1");

        apply(0, said);

        assertThat(handOvers.of(0, "call")).isEqualTo(said);
        assertThat(handOvers.await(0, "call", Duration.ZERO)).isEqualTo(said);
        assertThat(handOvers.of(1, "call")).isNull();
    }

    @Test
    void whatAnswersNoOpenIntentIsNot() {
        apply(0, said("another", 2, "member-1"));
        apply(0, said("call", 1, "member-1"));
        apply(0, said("call", 2, "member-2"));
        // Before it got the partition back and announced the call anew.
        apply(0, said("call", 2, "member-1", 0));
        apply(1, said("call", 2, "member-1"));
        handOvers.apply(0, "i", null, 0);

        assertThat(handOvers.of(0, "call")).isNull();
        assertThat(handOvers.of(1, "call")).isNull();
    }

    @Test
    void theEndOfAnAssignmentForgets() {
        apply(0, said("call", 2, "member-1"));
        handOvers.closed(0);
        assertThat(handOvers.of(0, "call")).isNull();

        // The follower hears of the end later than of the next assignment.
        handOvers.opened(0, Map.of("call", intent("call", 2, "member-1")));
        handOvers.forget(0);
        apply(0, said("call", 2, "member-1"));
        assertThat(handOvers.of(0, "call")).isNotNull();
    }

    private void apply(int partition, HandOver said) {
        ToolCall call = ToolCall.of("c", "t__x", JsonNodeFactory.instance.objectNode(), "i");
        handOvers.apply(partition, "i", RESUMED.write(ResumedCall.handedOver(call, 4, said)), 0);
    }

    private static HandOver said(String identity, int attempt, String member) {
        return said(identity, attempt, member, 1);
    }

    private static HandOver said(String identity, int attempt, String member, long epoch) {
        return new HandOver(identity, member, epoch, attempt, null, null, null);
    }

    private static CallIntent intent(String identity, int attempt, String member) {
        return new CallIntent(identity, "sha256:1", "t__x", attempt, "w1", 1, Instant.EPOCH, member, null, null);
    }
}
