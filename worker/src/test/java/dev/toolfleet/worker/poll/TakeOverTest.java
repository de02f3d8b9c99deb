package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.Standing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TakeOverTest {
    private static final WireCodec<CallIntent> INTENTS = WireCodec.of(CallIntent.class);
    private static final WireCodec<OpenHandle> HANDLES = WireCodec.of(OpenHandle.class);
    private static final long NOW = 1_000_000;
    private static final DedupeConfig DEDUPE = new DedupeConfig(Duration.ofMinutes(10), 10);

    private final Fake fake = new Fake();

    @Test
    void endsAreTakenBehindTheStableOffsetAndEverythingIsReadUpToThem() {
        fake.ends = new TakeOver.Ends(5, 7, 9, 11);

        restore();

        assertThat(fake.asked).containsExactly("start", "ends", "read JOURNAL 0 to 5", "appended at 40",
                "result since 400000", "read RESULT 3 to 7", "steps to 9");
    }

    @Test
    void resultsAreReadFromTheWindowBeforeTheFrontiersCall() {
        fake.frontierAppendedAt = OptionalLong.of(700_000);
        fake.ends = new TakeOver.Ends(0, 7, 0, 0);

        restore();

        assertThat(fake.asked).contains("result since 100000", "read RESULT 3 to 7");
    }

    @Test
    void noMoreResultsAreReadThanCanBeRemembered() {
        fake.ends = new TakeOver.Ends(0, 1_000, 0, 0);

        restore();

        assertThat(fake.asked).contains("read RESULT 980 to 1000");
    }

    @Test
    void withoutResultsInTheWindowNoneIsRead() {
        fake.ends = new TakeOver.Ends(0, 7, 0, 0);
        fake.firstResult = -1;

        restore();

        assertThat(fake.asked).contains("read RESULT 7 to 7");
    }

    @Test
    void withoutACommittedOffsetAllResultsAreRead() {
        fake.start = new TakeOver.Start(DoneOffsets.from(17), false, null);
        fake.ends = new TakeOver.Ends(0, 1_000, 0, 0);

        TakeOver.Restored restored = restore();

        assertThat(fake.asked).contains("read RESULT 0 to 1000");
        assertThat(restored.start().frontier()).isEqualTo(17);
    }

    @Test
    void whatComesForPendingCallsIsReadFromWhereTheGroupStands() {
        fake.start = new TakeOver.Start(DoneOffsets.from(40), true, new DoneOffsets(23, List.of(1, 2)));
        fake.journal("waiting", HANDLES.write(handle("waiting", 5_000)));

        assertThat(restore().resumed()).isEqualTo(new DoneOffsets(23, List.of(1, 2)));
        assertThat(fake.asked).noneMatch(asked -> asked.startsWith("call_resumed"));
    }

    // A group's offsets of a topic that it does not subscribe to expire.
    @Test
    void withoutAnOffsetItIsReadFromTheOldestCallThatWaits() {
        fake.journal("first", HANDLES.write(handle("first", 605_000)));
        fake.journal("second", HANDLES.write(handle("second", 604_000)));
        fake.journal("ended", HANDLES.write(handle("ended", 1_000)));
        fake.journal("ended", null);
        fake.firstResumed = 12;

        TakeOver.Restored restored = restore();

        assertThat(fake.asked).as("a minute before it: the topics' leaders have clocks of their own")
                .contains("call_resumed since 544000");
        assertThat(restored.resumed()).isEqualTo(DoneOffsets.from(12));
        assertThat(restored.state().pending()).isEqualTo(2);
    }

    @Test
    void withoutAnOffsetAndWithoutAPendingCallItIsReadFromItsEnd() {
        fake.ends = new TakeOver.Ends(0, 7, 0, 77);

        assertThat(restore().resumed()).isEqualTo(DoneOffsets.from(77));
    }

    @Test
    void anOpenHandleTakesThePlaceOfItsIntent() {
        fake.journal("call", INTENTS.write(intent("call")));
        fake.journal("call", HANDLES.write(handle("call", 5_000)));

        PartitionState state = restore().state();

        assertThat(state.open()).isEmpty();
        assertThat(state.pending()).isEqualTo(1);
    }

    @Test
    void intentsWithoutTombstoneAreOpen() {
        CallIntent open = intent("open");
        fake.journal("done", INTENTS.write(intent("done")));
        fake.journal("open", INTENTS.write(open));
        fake.journal("done", null);

        assertThat(restore().state().open()).containsOnly(Map.entry("open", open));
    }

    @Test
    void journalRecordsThatAreNotUnderstoodArePassedOver() {
        CallIntent open = intent("open");
        fake.journal("torn", "{".getBytes(UTF_8));
        fake.journal("other", "{\"handle\":\"h\"}".getBytes(UTF_8));
        fake.journal("mine", INTENTS.write(intent("yours")));
        fake.journal(null, null);
        fake.journal("open", INTENTS.write(open));

        assertThat(restore().state().open()).containsOnly(Map.entry("open", open));
    }

    @Test
    void anAnsweredCallIsKnownByItsIdentityAndByItsOffset() {
        IdentifiedCall answered = call(3);
        fake.result(Map.of(WireHeaders.IDENTITY, answered.identity().text(), WireHeaders.FINGERPRINT,
                answered.fingerprint(), WireHeaders.CALL_OFFSET, "3"), 90, 5_000);

        PartitionState state = restore().state();

        assertThat(state.judge(answered)).isInstanceOf(Standing.Done.class);
        assertThat(state.judge(call(8))).isInstanceOfSatisfying(Standing.Answered.class, standing -> {
            assertThat(standing.answer().resultOffset()).isEqualTo(90);
            assertThat(standing.answer().answeredAt()).isEqualTo(5_000);
        });
    }

    @Test
    void resultsWithoutTheFleetsHeadersArePassedOver() {
        IdentifiedCall call = call(3);
        fake.result(Map.of(), 90, 5_000);
        fake.result(Map.of(WireHeaders.IDENTITY, call.identity().text(), WireHeaders.FINGERPRINT, call.fingerprint(),
                WireHeaders.CALL_OFFSET, "three"), 91, 5_000);

        PartitionState state = restore().state();

        assertThat(state.answers()).isZero();
        assertThat(state.judge(call)).isInstanceOf(Standing.Fresh.class);
    }

    @Test
    void aReplayTakesNoAnswersPlace() {
        IdentifiedCall call = call(3);
        Map<String, String> headers = Map.of(WireHeaders.IDENTITY, call.identity().text(), WireHeaders.FINGERPRINT,
                call.fingerprint(), WireHeaders.CALL_OFFSET, "3");
        fake.result(headers, 90, 5_000);
        Map<String, String> replay = new HashMap<>(headers);
        replay.put(WireHeaders.CALL_OFFSET, "4");
        replay.put(WireHeaders.REPLAYED, "true");
        fake.result(replay, 91, 6_000);

        assertThat(restore().state().judge(call(5))).isInstanceOfSatisfying(Standing.Answered.class,
                standing -> assertThat(standing.answer().resultOffset()).isEqualTo(90));
    }

    private TakeOver.Restored restore() {
        return new TakeOver(fake, DEDUPE, InstantSource.fixed(Instant.ofEpochMilli(NOW))).restore(0);
    }

    private static OpenHandle handle(String identity, long calledAt) {
        return new OpenHandle(identity, "sha256:1", "h-" + identity, 4, "i", "c", null, null, null,
                Instant.ofEpochMilli(calledAt));
    }

    private static CallIntent intent(String identity) {
        return new CallIntent(identity, "sha256:1", "t__x", 1, "w1", 1, Instant.EPOCH, null, null, null);
    }

    private static IdentifiedCall call(long offset) {
        ToolCall call = ToolCall.of("c", "t__x", JsonNodeFactory.instance.objectNode(), "i").inStep("a", "t", "s", 0);
        return IdentifiedCall.of(new Arrival.Call(new Position(0, 1, offset), call, 0, null, 0));
    }

    private static final class Fake implements TakeOver.Sources {
        final List<String> asked = new ArrayList<>();
        final Map<Topic, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
        TakeOver.Start start = new TakeOver.Start(DoneOffsets.from(40), true, null);
        TakeOver.Ends ends = new TakeOver.Ends(100, 100, 100, 100);
        OptionalLong frontierAppendedAt = OptionalLong.empty();
        long firstResult = 3;
        long firstResumed = -1;

        void journal(@Nullable String key, byte @Nullable [] value) {
            List<ConsumerRecord<byte[], byte[]>> all = records.computeIfAbsent(Topic.JOURNAL,
                    topic -> new ArrayList<>());
            all.add(new ConsumerRecord<>("journal", 0, all.size(), key == null ? null : key.getBytes(UTF_8), value));
        }

        void result(Map<String, String> headers, long offset, long appendedAt) {
            RecordHeaders all = new RecordHeaders();
            headers.forEach((name, value) -> all.add(name, value.getBytes(UTF_8)));
            records.computeIfAbsent(Topic.RESULT, topic -> new ArrayList<>())
                    .add(new ConsumerRecord<>("results", 0, offset, appendedAt, TimestampType.LOG_APPEND_TIME, 0, 0,
                            "i".getBytes(UTF_8), new byte[0], all, Optional.empty()));
        }

        @Override
        public TakeOver.Start start(int partition) {
            asked.add("start");
            return start;
        }

        @Override
        public TakeOver.Ends ends(int partition) {
            asked.add("ends");
            return ends;
        }

        @Override
        public OptionalLong appendedAt(int partition, long offset) {
            asked.add("appended at " + offset);
            return frontierAppendedAt;
        }

        @Override
        public long firstSince(Topic topic, int partition, long time) {
            asked.add(topic.name().toLowerCase(Locale.ROOT) + " since " + time);
            return topic == Topic.RESULT ? firstResult : firstResumed;
        }

        @Override
        public void read(Topic topic, int partition, long from, long end,
                Consumer<ConsumerRecord<byte[], byte[]>> each) {
            asked.add("read " + topic + " " + from + " to " + end);
            records.getOrDefault(topic, List.of()).forEach(each);
        }

        @Override
        public void awaitSteps(int partition, long end) {
            asked.add("steps to " + end);
        }
    }
}
