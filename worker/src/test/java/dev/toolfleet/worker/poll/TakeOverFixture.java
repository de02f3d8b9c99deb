package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.IdentifiedCall;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A take-over and what it reads, for tests.
class TakeOverFixture {
    static final WireCodec<CallIntent> INTENTS = WireCodec.of(CallIntent.class);
    static final WireCodec<OpenHandle> HANDLES = WireCodec.of(OpenHandle.class);
    static final WireCodec<PartitionFrontier> FRONTIERS = WireCodec.of(PartitionFrontier.class);
    static final WireCodec<PartitionOwner> OWNERS = WireCodec.of(PartitionOwner.class);
    static final long NOW = 1_000_000;
    static final DedupeConfig DEDUPE = new DedupeConfig(Duration.ofMinutes(10), 10);

    static final Incarnation LOG = new Incarnation("calls-1", "resumed-1", "cluster");

    final Fake fake = new Fake();

    TakeOver.Restored restore() {
        return new TakeOver(fake, DEDUPE, (partition, frontier) -> {
            throw new IllegalStateException("nothing is committed");
        }, System::nanoTime).restore(0);
    }

    static TakeOver.LogEnds ends(long journal, long results, long steps, long resumed) {
        return new TakeOver.LogEnds(LOG, 17, 100, journal, results, steps, resumed);
    }

    static OpenHandle handle(String identity, long calledAt) {
        return new OpenHandle(identity, "sha256:1", "h-" + identity, 4, "i", "c", null, null, null,
                Instant.ofEpochMilli(calledAt));
    }

    static CallIntent intent(String identity) {
        return new CallIntent(identity, "sha256:1", "t__x", 1, "w1", 1, Instant.EPOCH, null, null, null);
    }

    static Map<String, String> answerTo(IdentifiedCall call, long calledAt) {
        return Map.of(WireHeaders.IDENTITY, call.identity().text(), WireHeaders.FINGERPRINT, call.fingerprint(),
                WireHeaders.CALL_OFFSET, Long.toString(call.arrival().position().offset()), WireHeaders.CALLED_AT,
                Long.toString(calledAt));
    }

    static IdentifiedCall call(long offset) {
        return call("c", offset, 0, true);
    }

    static IdentifiedCall numbered(int n, long appendedAt) {
        return call("c" + n, 17 + n, appendedAt, true);
    }

    /// The same call at another offset.
    static IdentifiedCall copied(int n) {
        return call("c" + n, 1_000 + n, NOW, true);
    }

    static IdentifiedCall unstepped(long offset, long appendedAt) {
        return call("c", offset, appendedAt, false);
    }

    static IdentifiedCall call(String id, long offset, long appendedAt, boolean inStep) {
        ToolCall call = ToolCall.of(id, "t__x", JsonNodeFactory.instance.objectNode(), "i");
        return IdentifiedCall.of(new Arrival.Call(new Position(0, 1, offset),
                inStep ? call.inStep("a", "t", "s", 0) : call, appendedAt, null, 0));
    }

    static final class Fake implements TakeOver.Sources {
        final List<String> asked = new ArrayList<>();
        final Map<Topic, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
        TakeOver.Start start = new TakeOver.Start(DoneOffsets.from(40), null);
        TakeOver.LogEnds ends = TakeOverFixture.ends(100, 100, 100, 100);
        OptionalLong frontierAppendedAt = OptionalLong.empty();
        long newestResult = NOW;
        long firstResult = 3;
        long beginning;
        long agreed = Long.MAX_VALUE;
        final Map<Long, Long> resultsSince = new HashMap<>();
        long firstResumed = -1;
        final Set<String> left = new HashSet<>();

        void journal(@Nullable String key, byte @Nullable [] value) {
            List<ConsumerRecord<byte[], byte[]>> all = records.computeIfAbsent(Topic.JOURNAL,
                    topic -> new ArrayList<>());
            all.add(new ConsumerRecord<>("journal", 0, all.size(), key == null ? null : key.getBytes(UTF_8), value));
        }

        void frontier(PartitionFrontier frontier) {
            journal(PartitionFrontier.KEY, FRONTIERS.write(frontier));
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
        public TakeOver.LogEnds ends(int partition) {
            asked.add("ends");
            return ends;
        }

        @Override
        public long beginning(Topic topic, int partition) {
            return beginning;
        }

        @Override
        public long agreesUpTo(Topic topic, int partition, long offset, int epoch) {
            asked.add(topic.name().toLowerCase(Locale.ROOT) + " agrees up to " + offset + " of epoch " + epoch);
            return Math.min(offset, agreed);
        }

        @Override
        public OptionalLong appendedAt(int partition, long offset) {
            asked.add("appended at " + offset);
            return frontierAppendedAt;
        }

        @Override
        public long newest(Topic topic, int partition) {
            asked.add("newest " + topic);
            return topic == Topic.RESULT ? newestResult : 0;
        }

        @Override
        public long firstSince(Topic topic, int partition, long time) {
            asked.add(topic.name().toLowerCase(Locale.ROOT) + " since " + time);
            return topic == Topic.RESULT ? resultsSince.getOrDefault(time, firstResult) : firstResumed;
        }

        @Override
        public void read(Topic topic, int partition, long from, long end,
                Consumer<ConsumerRecord<byte[], byte[]>> each) {
            asked.add("read " + topic + " " + from + " to " + end);
            records.getOrDefault(topic, List.of()).forEach(each);
        }

        @Override
        public boolean hasLeft(String memberId) {
            asked.add("has left " + memberId);
            return left.contains(memberId);
        }

        @Override
        public void awaitSteps(int partition, long end) {
            asked.add("steps to " + end);
        }
    }
}
