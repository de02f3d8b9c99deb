import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/// Kafka Streams job that keeps three tables from `tool.error`, `tool.audit` and `tool.result`: failures by tool,
/// decisions of people, and work that finished later. Prints a report whenever a table changes.
///
/// Usage: java -cp cli/target/toolfleet.jar examples/analyst/Analyst.java HOST:PORT
///
/// One process holds all partitions here. With several, each reports on its own; write the tables to topics then.
final class Analyst {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration CLOSE = Duration.ofSeconds(10);
    private static final String NONE = "-";

    private Analyst() {}

    /// Failures of one tool with one code in one agent's calls.
    record Cause(String tool, String code, String agent) {}

    /// @param since the time of the first one
    record Failures(long count, Instant since) {
        private static final Failures NONE = new Failures(0, Instant.MAX);

        Failures with(ToolErrorEvent event) {
            return new Failures(count + 1, event.occurredAt().isBefore(since) ? event.occurredAt() : since);
        }
    }

    record Question(String tool, String instance, String call, String handle) {}

    record Answer(String action, String by, String reason) {}

    /// One result of a call that waits, or has waited, for a handle.
    record Seen(String handle, String tool, ResultStatus status, long atMs) {}

    /// Work behind one handle. Either time is 0 until its result is seen.
    record Work(String tool, ResultStatus status, long beganMs, long endedMs) {
        private static final Work NONE = new Work("", ResultStatus.PENDING, 0, 0);

        Work with(Seen seen) {
            return seen.status() == ResultStatus.PENDING
                    ? new Work(seen.tool(), status, seen.atMs(), endedMs)
                    : new Work(seen.tool(), seen.status(), beganMs, seen.atMs());
        }

        boolean isWhole() {
            return beganMs > 0 && endedMs > 0;
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path state = Files.createTempDirectory("analyst");
        KafkaStreams streams = new KafkaStreams(topology().build(), config(args[0], state));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            streams.close(CLOSE);
            streams.cleanUp();
        }));
        streams.start();
        String printed = "";
        while (streams.state() != KafkaStreams.State.ERROR) {
            String report = report(streams).orElse(printed);
            if (!report.equals(printed))
                System.out.print("== " + Instant.now() + "\n" + report);
            printed = report;
            Thread.sleep(PAUSE);
        }
        System.exit(1);
    }

    private static Properties config(String bootstrap, Path state) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "analyst");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        // Counts each record once, and reads committed records only.
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        // A record that cannot be read is logged and skipped.
        config.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
                LogAndContinueExceptionHandler.class);
        return config;
    }

    private static StreamsBuilder topology() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream("tool.error", Consumed.with(Serdes.String(), wire(ToolErrorEvent.class)))
                // A notice accompanies a result that is no error.
                .filter((instance, event) -> !event.error().code().equals(ToolErrorEvent.DIGEST_MISMATCH))
                .groupBy((instance, event) -> new Cause(event.toolName(), event.error().code(),
                        text(event.agentName())),
                        Grouped.with(json(Cause.class), wire(ToolErrorEvent.class)))
                .aggregate(() -> Failures.NONE, (cause, event, failures) -> failures.with(event),
                        table("failures", json(Cause.class), json(Failures.class)));

        builder.stream("tool.audit", Consumed.with(Serdes.String(), wire(AuditEvent.class)))
                .filter((instance, event) -> event.kind() == AuditEvent.Kind.DECISION && event.call() != null
                        && (event.action().equals("approved") || event.action().equals("rejected")))
                .groupBy((instance, event) -> new Question(event.call().toolName(), event.call().instanceKey(),
                        event.call().toolCallId(), text(event.handle())),
                        Grouped.with(json(Question.class), wire(AuditEvent.class)))
                .aggregate(() -> new Answer(NONE, NONE, NONE),
                        (question, event, before) -> new Answer(event.action(), text(event.by()), text(event.reason())),
                        table("decisions", json(Question.class), json(Answer.class)));

        builder.stream("tool.result", Consumed.with(Serdes.String(), wire(ToolResult.class)))
                .process(HandleResults::new)
                .groupBy((instance, seen) -> seen.handle(), Grouped.with(Serdes.String(), json(Seen.class)))
                .aggregate(() -> Work.NONE, (handle, seen, work) -> work.with(seen),
                        table("works", Serdes.String(), json(Work.class)));
        return builder;
    }

    /// Forwards the results of calls with a handle, with the broker's append times. Skips a result that repeats an
    /// earlier one.
    private static final class HandleResults extends ContextualProcessor<String, ToolResult, String, Seen> {
        @Override
        public void process(Record<String, ToolResult> record) {
            ToolResult result = record.value();
            boolean counts = result.isFinal() || result.status() == ResultStatus.PENDING;
            if (result.handle() != null && counts && !result.replayed())
                context().forward(record.withValue(
                        new Seen(result.handle(), result.toolName(), result.status(), record.timestamp())));
        }
    }

    /// Empty while the tables cannot be read: at the start, and during a rebalance.
    private static Optional<String> report(KafkaStreams streams) {
        try {
            List<String> lines = new ArrayList<>();
            failures(rows(streams, "failures"), lines::add);
            Map<Question, Answer> decisions = rows(streams, "decisions");
            decisions(decisions, lines::add);
            Map<String, Work> works = rows(streams, "works");
            // Handles of approvals are no work.
            decisions.keySet().forEach(question -> works.remove(question.handle()));
            works(works.values(), lines::add);
            return Optional.of(String.join("\n", lines) + "\n");
        } catch (InvalidStateStoreException e) {
            return Optional.empty();
        }
    }

    private static void failures(Map<Cause, Failures> rows, Consumer<String> lines) {
        Map<String, Long> totals = rows.entrySet().stream().collect(Collectors.groupingBy(row -> row.getKey().tool(),
                Collectors.summingLong(row -> row.getValue().count())));
        lines.accept("failures: tool, of the tool in all, code, agent, how many, since");
        rows.entrySet().stream().sorted(Comparator
                .comparing((Map.Entry<Cause, Failures> row) -> -totals.get(row.getKey().tool()))
                .thenComparing(row -> row.getKey().tool())
                .thenComparing(row -> -row.getValue().count())
                .thenComparing(row -> row.getKey().code())
                .thenComparing(row -> row.getKey().agent()))
                .forEach(row -> lines.accept(String.join(" ", row.getKey().tool(),
                        String.valueOf(totals.get(row.getKey().tool())), row.getKey().code(), row.getKey().agent(),
                        String.valueOf(row.getValue().count()),
                        row.getValue().since().truncatedTo(ChronoUnit.SECONDS).toString())));
    }

    private static void decisions(Map<Question, Answer> rows, Consumer<String> lines) {
        lines.accept("decisions: tool, instance, call, decision, by, reason");
        rows.entrySet().stream().sorted(Comparator
                .comparing((Map.Entry<Question, Answer> row) -> row.getKey().tool())
                .thenComparing(row -> row.getKey().instance())
                .thenComparing(row -> row.getKey().call()))
                .forEach(row -> lines.accept(String.join(" ", row.getKey().tool(), row.getKey().instance(),
                        row.getKey().call(), row.getValue().action(), row.getValue().by(), row.getValue().reason())));
    }

    private static void works(Collection<Work> rows, Consumer<String> lines) {
        Map<String, List<Work>> byTool = rows.stream().filter(Work::isWhole)
                .collect(Collectors.groupingBy(Work::tool, TreeMap::new, Collectors.toList()));
        lines.accept("work: tool, ended, of them ok, shortest, mean and longest in ms");
        byTool.forEach((tool, works) -> {
            LongSummaryStatistics ms = works.stream().mapToLong(work -> work.endedMs() - work.beganMs())
                    .summaryStatistics();
            long ok = works.stream().filter(work -> work.status() == ResultStatus.OK).count();
            lines.accept("%s %d %d %d %d %d".formatted(tool, ms.getCount(), ok, ms.getMin(),
                    ms.getSum() / ms.getCount(), ms.getMax()));
        });
    }

    private static <K, V> Map<K, V> rows(KafkaStreams streams, String table) {
        Map<K, V> rows = new HashMap<>();
        try (var all = streams.store(StoreQueryParameters
                .fromNameAndType(table, QueryableStoreTypes.<K, V>keyValueStore())).all()) {
            all.forEachRemaining(row -> rows.put(row.key, row.value));
        }
        return rows;
    }

    private static <K, V> Materialized<K, V, KeyValueStore<Bytes, byte[]>> table(String name, Serde<K> keys,
            Serde<V> values) {
        return Materialized.<K, V, KeyValueStore<Bytes, byte[]>>as(name).withKeySerde(keys).withValueSerde(values);
    }

    private static String text(String value) {
        return Objects.requireNonNullElse(value, NONE);
    }

    /// Reads the fleet's records, also with fields and kinds of later versions.
    private static <T> Serde<T> wire(Class<T> type) {
        WireCodec<T> codec = WireCodec.of(type);
        return Serdes.serdeFrom((topic, value) -> value == null ? null : codec.write(value), (topic, bytes) -> {
            try {
                return bytes == null ? null : codec.read(bytes);
            } catch (RuntimeException e) {
                throw new SerializationException(topic + ": not a " + type.getSimpleName(), e);
            }
        });
    }

    /// Reads and writes this job's own records.
    private static <T> Serde<T> json(Class<T> type) {
        return Serdes.serdeFrom((topic, value) -> value == null ? null : Json.MAPPER.writeValueAsBytes(value),
                (topic, bytes) -> bytes == null ? null : Json.MAPPER.readValue(bytes, type));
    }
}
