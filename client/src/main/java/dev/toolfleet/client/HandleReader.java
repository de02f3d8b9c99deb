package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the states of handles from the fleet's topics. It contacts no worker, so it works when none runs; its answers
/// are the committed state.
///
/// One handle costs reading one partition of `tool.pending`: everything that became pending there within about a week,
/// and all open calls. It also costs one partition of `tool.progress` or `tool.result` from the call's time on. The
/// list of open handles costs all of `tool.pending` and up to a day of `tool.progress`. It keeps open handles without
/// their arguments, about 1 KB each.
///
/// **Threads.** Not thread-safe except for [#stop].
public final class HandleReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandleReader.class);
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    /// The largest difference between the clocks of workers and brokers.
    private static final Duration CLOCK_MARGIN = Duration.ofMinutes(10);

    private final Topics topics;
    private final TopicScan scan;

    HandleReader(Topics topics, TopicScan scan) {
        this.topics = topics;
        this.scan = scan;
    }

    /// Opens a reader with a connection of its own.
    ///
    /// @param gauge receives the reading progress
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or its topics are not
    ///         the fleet's
    public static HandleReader open(ClientConfig config, TopicScan.Gauge gauge) {
        new FleetTopics(config.topics(), config.properties(), config.brokerTimeout())
                .check(EnumSet.of(Topic.PENDING, Topic.PROGRESS, Topic.RESULT));
        Map<String, Object> properties = KafkaProperties.consumer(config);
        properties.put("client.id", config.name() + "-handles");
        return new HandleReader(config.topics(), TopicScan.open(properties, config.brokerTimeout(), gauge));
    }

    /// Returns the state of one handle.
    ///
    /// @throws org.apache.kafka.common.KafkaException when the broker does not answer
    public HandleState read(String handle) {
        HandleHistory history = history(handle);
        if (history.holder().isEmpty())
            return new HandleState.Unknown(handle);
        PendingCall call = history.holder().get();
        return history.endedAt().<HandleState>map(at -> new HandleState.Ended(call, at, result(call)))
                .orElseGet(() -> new HandleState.Open(call, progress(call)));
    }

    /// Returns the open handles, the oldest first. Their calls come without arguments, message and output.
    ///
    /// @param wanted selects the calls
    /// @throws org.apache.kafka.common.KafkaException when the broker does not answer
    public List<HandleState.Open> open(Predicate<PendingCall> wanted) {
        Map<String, PendingCall> open = open(wanted, call -> call.forCall(call.call().bare(), null));
        Map<String, ToolProgress> last = new HashMap<>();
        open.values().stream().map(HandleReader::since).min(Comparator.naturalOrder())
                .ifPresent(oldest -> scan.read(scan.since(partitions(Topic.PROGRESS), oldest),
                        record -> decoded(PROGRESS, record).ifPresent(progress -> {
                            if (progress.handle() != null && open.containsKey(progress.handle()))
                                last.put(progress.handle(), progress);
                        })));
        List<HandleState.Open> states = new ArrayList<>();
        open.forEach((handle, call) -> states.add(new HandleState.Open(call, Optional.ofNullable(last.get(handle)))));
        states.sort(Comparator.comparing((HandleState.Open state) -> state.call().createdAt())
                .thenComparing(HandleState.Open::handle));
        return states;
    }

    /// Returns the calls that wait for approval, the oldest first. Costs all of `tool.pending`; no progress is read.
    ///
    /// @param kept reduces each call before it is kept in memory, for example by its message
    ///
    /// @throws org.apache.kafka.common.KafkaException when the broker does not answer
    public List<PendingCall> approvals(UnaryOperator<PendingCall> kept) {
        return open(call -> call.kind() == PendingCall.Kind.APPROVAL, kept).values().stream()
                .sorted(Comparator.comparing(PendingCall::createdAt).thenComparing(PendingCall::handle)).toList();
    }

    private Map<String, PendingCall> open(Predicate<PendingCall> wanted, UnaryOperator<PendingCall> kept) {
        // A handle of an unwanted call is kept too: another call that claims it does not get it.
        Map<String, Optional<PendingCall>> open = new HashMap<>();
        scan.read(scan.beginnings(partitions(Topic.PENDING)), record -> {
            if (record.key() == null)
                return;
            String handle = new String(record.key(), StandardCharsets.UTF_8);
            if (record.value() == null)
                open.remove(handle);
            else
                decoded(PENDING, record).ifPresent(
                        call -> open.putIfAbsent(handle, Optional.of(call).filter(wanted).map(kept)));
        });
        Map<String, PendingCall> found = new HashMap<>();
        open.forEach((handle, call) -> call.ifPresent(each -> found.put(handle, each)));
        return found;
    }

    /// Makes a running read on another thread fail at once.
    public void stop() {
        scan.stop();
    }

    @Override
    public void close() {
        scan.close();
    }

    private HandleHistory history(String handle) {
        byte[] key = handle.getBytes(StandardCharsets.UTF_8);
        HandleHistory history = new HandleHistory();
        List<TopicPartition> all = partitions(Topic.PENDING);
        // The fleet's producers use Kafka's own partitioner, so the handle determines the partition.
        List<TopicPartition> one = List.of(new TopicPartition(topics.name(Topic.PENDING),
                Utils.toPositive(Utils.murmur2(key)) % all.size()));
        scan.read(scan.beginnings(one), record -> {
            if (!Arrays.equals(record.key(), key))
                return;
            Instant at = Instant.ofEpochMilli(record.timestamp());
            if (record.value() == null)
                history.ended(at);
            else
                decoded(PENDING, record).ifPresent(call -> history.pending(call, at));
        });
        return history;
    }

    private Optional<ToolProgress> progress(PendingCall call) {
        AtomicReference<@Nullable ToolProgress> last = new AtomicReference<>();
        readPartition(Topic.PROGRESS, call, record -> decoded(PROGRESS, record)
                .filter(progress -> call.handle().equals(progress.handle())).ifPresent(last::set));
        return Optional.ofNullable(last.get());
    }

    private Optional<ToolResult> result(PendingCall call) {
        AtomicReference<@Nullable ToolResult> found = new AtomicReference<>();
        readPartition(Topic.RESULT, call, record -> decoded(RESULTS, record)
                .filter(result -> result.isFinal() && result.callOffset() == call.callOffset())
                .ifPresent(found::set));
        return Optional.ofNullable(found.get());
    }

    /// Reads the records of the call's instance in the call's partition since the call.
    private void readPartition(Topic topic, PendingCall call, TopicScan.Sink sink) {
        byte[] key = call.call().instanceKey().getBytes(StandardCharsets.UTF_8);
        scan.read(scan.since(List.of(new TopicPartition(topics.name(topic), call.partition())), since(call)),
                record -> {
                    if (Arrays.equals(record.key(), key))
                        sink.accept(record);
                });
    }

    private List<TopicPartition> partitions(Topic topic) {
        return scan.partitions(topics.name(topic));
    }

    /// The time before which no record about a pending call exists.
    private static Instant since(PendingCall call) {
        CallOrigin origin = call.origin();
        return (origin == null ? call.createdAt() : origin.calledAt()).minus(CLOCK_MARGIN);
    }

    private static <T> Optional<T> decoded(WireCodec<T> codec, ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null)
            return Optional.empty();
        try {
            return Optional.of(codec.read(record.value()));
        } catch (WireFormatException e) {
            LOG.warn("record left out: unreadable; topic={} partition={} offset={}", record.topic(),
                    record.partition(), record.offset(), Unquoted.of(e));
            return Optional.empty();
        }
    }
}
