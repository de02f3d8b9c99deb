package dev.toolfleet.cli.explain;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

import dev.toolfleet.cli.explain.CallSnapshot.Ahead;
import dev.toolfleet.cli.explain.CallSnapshot.Answer;
import dev.toolfleet.cli.explain.CallSnapshot.Waits;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Collects what the fleet's topics say of one call. Reads the call's partition of the topics that follow it, from the
/// call's time on, and all of `tool.journal` and `tool.catalog.step` there; of the others what came since.
final class Evidence {
    private static final Logger LOG = LoggerFactory.getLogger(Evidence.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<StepEvent> STEPS = WireCodec.of(StepEvent.class);
    /// Clocks of brokers, workers and runtimes may differ so much.
    private static final Duration CLOCKS = Duration.ofMinutes(10);
    /// Longest time between a step's begin and its call.
    private static final Duration STEP = Duration.ofHours(2);

    private final TopicScan scan;
    private final HandleReader handles;
    private final Topics topics;
    private final CallFinder search;

    Evidence(TopicScan scan, HandleReader handles, Topics topics) {
        this.scan = scan;
        this.handles = handles;
        this.topics = topics;
        this.search = new CallFinder(scan, topics);
    }

    /// Collects the facts of the call at this moment.
    CallSnapshot of(RecordedCall call, GroupState group, CallSnapshot.Live live, Instant now) {
        List<Answer> answers = answers(call);
        Optional<Waits> waits = answers.stream().map(answer -> answer.result().handle())
                .filter(handle -> handle != null).reduce((_, newer) -> newer).flatMap(this::waits);
        List<RecordedCall> ahead = group.isDone(call.partition(), call.offset()) ? List.of() : ahead(call, group);
        Map<String, CallIntent> starts = starts(call, waits, ahead);
        String noted = waits.map(wait -> identity(call).resumedBy(wait.pending().handle()).text())
                .filter(starts::containsKey).orElse(call.identity());
        InterventionReader spoken = new InterventionReader(scan, topics, call);
        return new CallSnapshot(call, now, answers, waits, start(starts.get(noted), group), group.about(call),
                ahead.stream().map(each -> new Ahead(each, start(starts.get(each.identity()), group))).toList(),
                step(call), live, spoken.about(waits));
    }

    /// The unfinished calls of an instance, the oldest first.
    ///
    /// @param end up to which offset
    List<RecordedCall> unfinished(String instance, int partition, long end, GroupState group) {
        return search.between(partition, group.frontier(partition), end, call -> call.instanceKey().equals(instance))
                .stream().filter(each -> !group.isDone(partition, each.offset())).toList();
    }

    private List<RecordedCall> ahead(RecordedCall call, GroupState group) {
        return unfinished(call.call().instanceKey(), call.partition(), call.offset(), group);
    }

    private static CallIdentity identity(RecordedCall call) {
        return CallIdentity.of(call.call(), call.partition(), call.offset());
    }

    private static Optional<CallSnapshot.Start> start(@Nullable CallIntent intent, GroupState group) {
        return Optional.ofNullable(intent).map(found -> new CallSnapshot.Start(found, group.hasMember(found.member())));
    }

    private List<Answer> answers(RecordedCall call) {
        List<Answer> found = new ArrayList<>();
        since(Topic.RESULT, call.partition(), call.at().minus(CLOCKS), record -> {
            if (record.value() == null)
                return;
            ToolResult result = RESULTS.read(record.value());
            if (result.callOffset() == call.offset())
                found.add(new Answer(bare(result), Instant.ofEpochMilli(record.timestamp())));
        });
        return found;
    }

    /// Outputs are not needed here, and large.
    private static ToolResult bare(ToolResult result) {
        return new ToolResult(result.toolCallId(), result.toolName(), result.status(), null, result.handle(),
                result.error(), result.instanceKey(), result.agentName(), result.turnId(), result.stepId(),
                result.attempt(), result.replayed(), result.fingerprint(), result.callOffset(), result.timing(), null,
                result.notice());
    }

    private Optional<Waits> waits(String handle) {
        return switch (handles.read(handle)) {
            case HandleState.Unknown _ -> Optional.empty();
            case HandleState.Open open -> Optional.of(new Waits(open.call(), open.heardAt(), null));
            case HandleState.Ended ended ->
                Optional.of(new Waits(ended.call(), ended.endedAt(), ended.endedAt()));
        };
    }

    /// The starts that stand on the journal, by the name under which they are noted.
    private Map<String, CallIntent> starts(RecordedCall call, Optional<Waits> waits, List<RecordedCall> ahead) {
        List<String> wanted = new ArrayList<>(ahead.stream().map(RecordedCall::identity).toList());
        wanted.add(call.identity());
        waits.ifPresent(wait -> wanted.add(identity(call).resumedBy(wait.pending().handle()).text()));
        Map<String, CallIntent> found = new HashMap<>();
        beginning(Topic.JOURNAL, call.partition(), record -> {
            if (record.key() == null)
                return;
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (!wanted.contains(key))
                return;
            if (record.value() != null && JournalEntry.read(record.value()) instanceof CallIntent intent)
                found.put(key, intent);
            else
                found.remove(key);
        });
        return found;
    }

    private CallSnapshot.Step step(RecordedCall call) {
        String step = call.call().stepId();
        String agent = call.call().agentName();
        if (step == null || agent == null)
            return new CallSnapshot.Step(Optional.empty(), Optional.empty());
        AtomicReference<@Nullable StepCatalog> catalog = new AtomicReference<>();
        byte[] key = StepCatalog.key(call.call().instanceKey(), agent).getBytes(StandardCharsets.UTF_8);
        beginning(Topic.CATALOG_STEP, call.partition(), record -> {
            if (Arrays.equals(record.key(), key))
                catalog.set(record.value() == null ? null : CATALOGS.read(record.value()));
        });
        StepCatalog newest = catalog.get();
        boolean named = newest != null && (isStep(newest.turnId(), newest.stepId(), call)
                || newest.recent().stream().anyMatch(each -> isStep(each.turnId(), each.stepId(), call)));
        return new CallSnapshot.Step(named && newest != null ? Optional.of(newest.publishedAt()) : Optional.empty(),
                named ? Optional.empty() : announced(call, agent));
    }

    private Optional<CallSnapshot.Announced> announced(RecordedCall call, String agent) {
        AtomicReference<CallSnapshot.@Nullable Announced> found = new AtomicReference<>();
        String instance = call.call().instanceKey();
        byte[] key = instance.getBytes(StandardCharsets.UTF_8);
        scan.read(scan.since(scan.partitions(topics.name(Topic.STEP)), call.at().minus(STEP)),
                readable((record, value) -> {
                    if (Arrays.equals(record.key(), key) && STEPS.read(value) instanceof StepStarted said
                            && said.agentName().equals(agent) && isStep(said.turnId(), said.stepId(), call))
                        found.set(
                                new CallSnapshot.Announced(record.partition(),
                                        Instant.ofEpochMilli(record.timestamp())));
                }));
        return Optional.ofNullable(found.get());
    }

    private static boolean isStep(String turn, String step, RecordedCall call) {
        String ofTurn = call.call().turnId();
        return step.equals(call.call().stepId()) && (ofTurn == null || ofTurn.equals(turn));
    }

    private void since(Topic topic, int partition, Instant time, TopicScan.Sink sink) {
        List<TopicPartition> one = List.of(new TopicPartition(topics.name(topic), partition));
        scan.read(scan.since(one, time), lenient(sink));
    }

    private void beginning(Topic topic, int partition, TopicScan.Sink sink) {
        scan.read(scan.beginnings(List.of(new TopicPartition(topics.name(topic), partition))), lenient(sink));
    }

    /// Passes over records without a value.
    static TopicScan.Sink readable(BiConsumer<ConsumerRecord<byte[], byte[]>, byte[]> sink) {
        return lenient(record -> {
            if (record.value() != null)
                sink.accept(record, record.value());
        });
    }

    /// Passes over what is no record of the topic.
    private static TopicScan.Sink lenient(TopicScan.Sink sink) {
        return record -> {
            try {
                sink.accept(record);
            } catch (WireFormatException e) {
                LOG.atDebug().setCause(e).addKeyValue("topic", record.topic())
                        .addKeyValue("offset", record.offset()).log("a record cannot be read and is passed over");
            }
        };
    }

    static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /// Origin header of a dead letter made of this call.
    static String origin(Topics topics, RecordedCall call) {
        return topics.name(Topic.CALL) + "/" + call.place();
    }

    static boolean isOrigin(ConsumerRecord<byte[], byte[]> record, String origin) {
        return origin.equals(header(record, WireHeaders.ORIGIN));
    }
}
