package dev.toolfleet.worker.identity;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class CancellationsTest {
    private static final WireCodec<CancelCall> CODEC = WireCodec.of(CancelCall.class);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final long T = NOON.toEpochMilli();

    private Instant now = NOON;
    private final Cancellations cancellations = new Cancellations(() -> now, 10_000);

    @Test
    void aBareIdMeansCallsThatWereWrittenBefore() {
        apply(cancel("i", "c1", null), T);

        assertThat(by(call("i", "c1", "s1"), T - 1)).isEqualTo("ops");
        assertThat(by(call("i", "c1", "s2"), T)).as("the same millisecond: the call was first").isEqualTo("ops");
        assertThat(by(call("i", "c1", "s3"), T + 1)).as("ids repeat").isNull();
        assertThat(by(call("i", "c2", "s1"), T - 1)).isNull();
        assertThat(by(call("j", "c1", "s1"), T - 1)).isNull();
    }

    @Test
    void aStepMeansItsCallsWheneverTheyAreWritten() {
        apply(cancel("i", null, "s1"), T);
        apply(cancel("i", "c9", "s2"), T);

        assertThat(by(call("i", "c1", "s1"), T + 60_000)).isEqualTo("ops");
        assertThat(by(call("i", "c2", "s1"), T - 60_000)).isEqualTo("ops");
        assertThat(by(call("i", "c9", "s2"), T + 60_000)).isEqualTo("ops");
        assertThat(by(call("i", "c1", "s2"), T - 60_000)).isNull();
    }

    @Test
    void theFirstOneIsToldAsTheReason() {
        apply(new CancelCall("i", "c1", "s1", null, "ada", "first", null, null), T);
        apply(new CancelCall("i", null, "s1", null, "bob", "second", null, null), T + 1);

        assertThat(by(call("i", "c1", "s1"), T)).isEqualTo("ada");
        assertThat(by(call("i", "c2", "s1"), T)).isEqualTo("bob");
    }

    @Test
    void itHoldsForADayByAClockThatIsAnHourAhead() {
        apply(cancel("i", null, "s1"), T);

        now = NOON.plus(Duration.ofHours(25));
        assertThat(by(call("i", "c1", "s1"), T + 1)).isEqualTo("ops");
        now = NOON.plus(Duration.ofHours(25)).plusSeconds(1);
        assertThat(by(call("i", "c1", "s1"), T + 1)).isNull();
        apply(cancel("j", null, "s1"), now.toEpochMilli());
        assertThat(cancellations.forgotten()).as("their time was over").isZero();
    }

    @Test
    void aLaneOrderOnTheTopicOfCancellationsIsNothing() {
        cancellations.apply(0, "i",
                "{\"instanceKey\":\"i\",\"order\":\"fail\",\"partition\":0,\"callOffset\":7,\"stepId\":\"s1\"}"
                        .getBytes(StandardCharsets.UTF_8),
                T);

        assertThat(by(call("i", "c1", "s1"), T)).isNull();
    }

    @Test
    void aHandleIsTheTopologysBusiness() {
        apply(new CancelCall("i", null, null, "h1", "ops", null, null, null), T);

        assertThat(by(call("i", "c1", "s1"), T)).isNull();
        assertThat(pending("i", "c1", "s1", "h1")).isNull();
    }

    @Test
    void pendingCallsAreMeantByTheIdsOfTheirCalls() {
        apply(cancel("i", null, "s1"), T);
        apply(cancel("i", "c7", null), T);

        assertThat(pending("i", "c1", "s1", "h1")).isNotNull();
        assertThat(pending("i", "c7", "s2", "h2")).as("called at noon, as it was cancelled").isNotNull();
        assertThat(pending("i", "c1", "s2", "h3")).isNull();
        assertThat(pending("j", "c1", "s1", "h4")).isNull();
    }

    @Test
    void whatCannotBeUnderstoodIsPassedOver() {
        List<CancelCall> told = new ArrayList<>();
        cancellations.tell((cancel, at) -> told.add(cancel));
        for (String bad : List.of("{", "[]", "null", "{\"toolCallId\":\"c1\"}", "{\"instanceKey\":\"i\"}",
                "{\"instanceKey\":\"i\",\"by\":\"ops\"}", "{\"instanceKey\":7}",
                "{\"instanceKey\":\"i\",\"stepId\":\"" + "s".repeat(1025) + "\"}"))
            cancellations.apply(0, "i", bad.getBytes(StandardCharsets.UTF_8), T);
        cancellations.apply(0, "", null, T);

        assertThat(told).isEmpty();
        assertThat(by(call("i", "c1", "s1"), T - 1)).isNull();
    }

    @Test
    void whoeverIsToldFindsIt() {
        List<@Nullable CancelCall> found = new ArrayList<>();
        cancellations.tell((cancel, at) -> found.add(cancellations.of(call("i", "c1", "s1"), at)));
        apply(cancel("i", "c1", null), T);

        assertThat(found).containsExactly(cancel("i", "c1", null));
    }

    @Test
    void theOldestAreForgottenWhenThereAreTooMany() {
        for (int n = 0; n < 100; n++)
            apply(new CancelCall("i" + n % 7, "c" + n, "s1", null, "ops", "x".repeat(200), null, null), T);

        assertThat(by(call("i0", "c0", "s1"), T)).isNull();
        assertThat(by(call("i1", "c99", "s1"), T)).isEqualTo("ops");
        long kept = 100 - cancellations.forgotten();
        assertThat(kept).as("of 10,000 characters each takes 400 and some").isBetween(20L, 25L);
        for (int n = 0; n < 100; n++)
            assertThat(by(call("i" + n % 7, "c" + n, "s1"), T) != null).isEqualTo(n >= 100 - kept);
    }

    @Test
    void oneTooLargeForAllTheRestIsKeptAndItsReasonCut() {
        apply(new CancelCall("i", "c1", "s1", null, "o".repeat(9_000), "r".repeat(900_000), null, null), T);
        CancelCall found = requireNonNull(cancellations.of(call("i", "c1", "s1"), T));

        assertThat(found.by()).hasSize(200);
        assertThat(found.reason()).hasSize(500).endsWith("(truncated)");
    }

    private void apply(CancelCall cancel, long at) {
        cancellations.apply(0, cancel.instanceKey(), CODEC.write(cancel), at);
    }

    private @Nullable String by(ToolCall call, long calledAt) {
        CancelCall found = cancellations.of(call, calledAt);
        return found == null ? null : found.by();
    }

    private static CancelCall cancel(String instance, @Nullable String id, @Nullable String step) {
        return new CancelCall(instance, id, step, null, "ops", "why not", null, null);
    }

    private static ToolCall call(String instance, String id, String step) {
        return ToolCall.of(id, "t__run", JsonNodeFactory.instance.objectNode(), instance).inStep("coder", "turn", step,
                0);
    }

    private @Nullable CancelCall pending(String instance, String id, String step, String handle) {
        return cancellations.of(
                new OpenHandle("identity", "fingerprint", handle, 1, instance, id, "coder", "turn", step, NOON), T);
    }
}
