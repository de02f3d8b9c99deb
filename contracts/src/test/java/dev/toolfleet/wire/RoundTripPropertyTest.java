package dev.toolfleet.wire;

import java.time.Instant;

import dev.toolfleet.json.JsonTrees;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class RoundTripPropertyTest {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    @Property(seed = "1001")
    void aCallIsReadAsItWasWritten(@ForAll("calls") ToolCall call) {
        byte[] bytes = CALLS.write(call);

        assertThat(CALLS.read(bytes)).isEqualTo(call);
        assertThat(CallDecoder.decode(null, bytes)).isEqualTo(new DecodedCall.Valid(call));
    }

    @Property(seed = "1002")
    void aResultIsReadAsItWasWritten(@ForAll("results") ToolResult result) {
        assertThat(RESULTS.read(RESULTS.write(result))).isEqualTo(result);
    }

    @Provide
    Arbitrary<ToolCall> calls() {
        Arbitrary<ToolCall> plain = Combinators.combine(ids(), ids(), JsonTrees.objects(), ids()).as(ToolCall::of);
        Arbitrary<ToolCall> inStep = Combinators.combine(plain, ids(), ids(), ids(), Arbitraries.integers())
                .as(ToolCall::inStep);
        Arbitrary<@Nullable ObjectNode> metadata = JsonTrees.objects().injectNull(0.5);
        Arbitrary<ToolCall> named = Combinators.combine(inStep, Arbitraries.strings()
                .withCharRange(' ', '~').ofMinLength(1).ofMaxLength(ToolCall.MAX_IDEMPOTENCY_KEY)).as(ToolCall::named);
        return Combinators
                .combine(Arbitraries.oneOf(plain, inStep, named), ids().injectNull(0.5), ids().injectNull(0.5),
                        instants().injectNull(0.5), metadata)
                .as((call, user, channel, deadline, free) -> call.forCaller(user, channel).until(deadline)
                        .with(call.args(), free));
    }

    @Provide
    Arbitrary<ToolResult> results() {
        Arbitrary<@Nullable JsonNode> outputs = JsonTrees.values().injectNull(0.3);
        Arbitrary<@Nullable ToolError> errors = Combinators.combine(ids(), ids().injectNull(0.5), JsonTrees.texts(),
                ids().injectNull(0.5), ids().injectNull(0.5)).as(ToolError::new).injectNull(0.5);
        Arbitrary<@Nullable Long> some = Arbitraries.longs().injectNull(0.5);
        Arbitrary<@Nullable Timing> timings = Combinators.combine(Arbitraries.longs().tuple3(), some, some)
                .as((times, checks, slot) -> new Timing(times.get1(), times.get2(), times.get3(), checks, slot))
                .injectNull(0.5);
        Arbitrary<@Nullable GuardFacts> guards = Arbitraries.longs().tuple2()
                .map(sizes -> new GuardFacts(sizes.get1() > 0, sizes.get2() > 0, sizes.get1(), sizes.get2()))
                .injectNull(0.5);
        return Combinators
                .combine(ids(), Arbitraries.of(ResultStatus.class), outputs, errors, ids().injectNull(0.5), timings,
                        guards, Arbitraries.longs())
                .as((id, status, output, error, optional, timing, guard, number) -> new ToolResult(id, "tool", status,
                        output, optional, error, "i", optional, null, optional, number.intValue(), number > 0,
                        optional, number, timing, guard).noticed(optional));
    }

    private static Arbitrary<String> ids() {
        return Arbitraries.strings().alpha().numeric().withChars(':', '/', '"', 'é', '한', ' ').ofMinLength(1)
                .ofMaxLength(12);
    }

    private static Arbitrary<Instant> instants() {
        return Arbitraries.longs().between(-60_000_000_000L, 250_000_000_000L)
                .map(seconds -> Instant.ofEpochSecond(seconds, Math.abs(seconds) % 1_000_000_000));
    }
}
