package dev.toolfleet.gateway.topology;

import java.time.Instant;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.WireFormatException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeadCodecPropertyTest {
    private static final String SEED = "20261128";
    private static final CallId ID = new CallId(3, 1042);

    @Property(tries = 500, seed = SEED)
    void aHeadIsReadAsItWasWritten(@ForAll("calls") CallSummary call) {
        byte[] head = HeadCodec.write(call);

        assertThat(HeadCodec.isReadable(head)).isTrue();
        assertThat(HeadCodec.acceptedAt(head)).isEqualTo(call.acceptedAt().toEpochMilli());
        assertThat(HeadCodec.read(ID, head)).isEqualTo(call);
    }

    @Provide
    Arbitrary<CallSummary> calls() {
        Arbitrary<CallSummary> open = Combinators.combine(texts(), texts(), texts(), optional(), optional(), times(),
                Arbitraries.of(CallStage.class).filter(stage -> stage != CallStage.ENDED),
                Arbitraries.of(true, false))
                .as((id, instance, tool, agent, user, at, stage, replayed) -> new CallSummary(ID, id, instance, agent,
                        tool, user, agent, user, at, stage, null, null, null, replayed));
        Arbitrary<CallSummary> ended = Combinators.combine(open, Arbitraries.of(ResultStatus.OK, ResultStatus.ERROR),
                optional(), times(), Arbitraries.of(true, false)).as(CallSummary::ended);
        return Arbitraries.oneOf(open, ended);
    }

    private static Arbitrary<String> texts() {
        Arbitrary<String> any = Arbitraries.strings().withChars("aZ0/ü€_\u0000").withCharRange('가', '힣')
                .ofMaxLength(300);
        return Arbitraries.oneOf(any, Arbitraries.of("", "😀", "x".repeat(12_000), "\u7fff".repeat(12_000)));
    }

    private static Arbitrary<@Nullable String> optional() {
        return texts().injectNull(0.3);
    }

    private static Arbitrary<Instant> times() {
        return Arbitraries.longs().between(0, 253_402_300_799_999L).map(Instant::ofEpochMilli);
    }

    @Example
    void aHeadOfAnotherVersionIsNotRead() {
        byte[] head = HeadCodec.write(CallSummary.accepted(ID, CallRecords.call("chat-1", "c1"), CallRecords.START));
        head[0]++;

        assertThat(HeadCodec.isReadable(head)).isFalse();
        assertThatThrownBy(() -> HeadCodec.read(ID, head)).isInstanceOf(WireFormatException.class)
                .hasMessageContaining("version 1");
    }
}
