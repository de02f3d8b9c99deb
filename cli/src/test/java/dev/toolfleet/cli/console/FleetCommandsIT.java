package dev.toolfleet.cli.console;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.cli.audit.AuditVerification;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.SentCall;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.console.operate.OperatorCommands.Author;
import dev.toolfleet.console.operate.OperatorCommands.Disposal;
import dev.toolfleet.console.operate.OperatorCommands.FleetState;
import dev.toolfleet.console.operate.OperatorCommands.Outcome;
import dev.toolfleet.console.operate.OperatorCommands.PartitionState;
import dev.toolfleet.console.operate.OperatorCommands.PolicyQuestion;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Commands of the console on a whole fleet.
@SuppressWarnings("FutureReturnValueIgnored") // The flush waits for the sends.
class FleetCommandsIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Author ADA = new Author("ada", "Incident 7");
    private static final String CALL = "{\"id\":\"c\",\"name\":\"bash__exec\",\"instanceKey\":\"key\",\"turnId\":\"t\",\"stepId\":\"s\",\"args\":{\"command\":\"true\"}}";
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools:
                - ref: {kind: Tool, name: bash, package: "@toolfleet/base"}
                - ref: {kind: Tool, name: file-system, package: "@toolfleet/base"}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: p}
            spec:
              rules:
                - {id: work, tool: ["bash__*", file-system__list], verdict: allow, reason: Its work.}
                - {id: ask, tool: file-system__mkdir, verdict: require-approval, reason: A person agrees.}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;
    private static @Nullable OneJvmFleet shared;
    private static @Nullable ToolFleetClient callers;

    @BeforeAll
    static void start() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE);
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)), Map.of(OneJvmFleet.WORKER_HTTP_PORT, "0"))
                .showing(FleetCommands::console);
        try (ProgressNote progress = new ProgressNote(TypedCommands.of(100).terminal())) {
            OneJvmFleet fleet = OneJvmFleet.start(plan, progress);
            shared = fleet;
            callers = ToolFleetClient.open(fleet.clientConfig("test"));
        }
    }

    @AfterAll
    static void stop() {
        if (callers != null)
            callers.close();
        if (shared != null)
            shared.close();
    }

    @Test
    void aPendingCallIsExplained() throws Exception {
        Sent asks = send("explained", "asks", "file-system__mkdir", args("path", "x"));
        assertThat(get(asks.handle().firstResult()).status()).isEqualTo(ResultStatus.PENDING);

        Outcome outcome = commands().explain(asks.id());

        assertThat(outcome.done()).as(outcome.lines().toString()).isTrue();
        assertThat(outcome.json().path("text").asString("")).contains("waits for a person's decision");
        assertThat(outcome.json().path("next").toString()).contains("approve ");
        assertThat(outcome.lines()).isEmpty();
        Outcome missing = commands().explain(new CallId(asks.id().partition(), 1_000_000));
        assertThat(missing.done()).isFalse();
        assertThat(missing.lines()).singleElement().asString().contains("there is no call at record");
    }

    @Test
    void policyIsExplainedAndToolsAreSwitchedOffAndOn() {
        FleetCommands commands = commands();
        assertThat(verdict(commands)).isEqualTo("allow");
        assertThat(commands.policy(new PolicyQuestion("no__tool", null, null, null, null)).lines()).singleElement()
                .asString().contains("no bundle, extension or MCP server has a tool called 'no__tool'");
        assertThat(commands.policy(new PolicyQuestion("file-system__list", "coder", null, null,
                Json.MAPPER.createArrayNode())).done()).isFalse();

        Outcome denied = commands.deny("file-system__list", Duration.ofHours(1), ADA);

        assertThat(denied.done()).as(denied.lines().toString()).isTrue();
        assertThat(denied.lines()).first().asString().contains("file-system__list is denied to everybody");
        assertThat(verdict(commands)).isEqualTo("deny");
        assertThat(commands.denials().json()).singleElement()
                .satisfies(one -> assertThat(one.path("by").asString()).isEqualTo("ada"));
        assertThat(commands.lift("file-system__read", ADA).lines()).singleElement().asString()
                .contains("is not switched off");
        assertThat(commands.deny("file-system__list", Duration.ZERO, ADA).done()).isFalse();
        assertThat(commands.lift("file-system__list", ADA).done()).isTrue();
        assertThat(verdict(commands)).isEqualTo("allow");
        assertThat(audit()).extracting(event -> event.action() + " " + event.by() + " " + event.target())
                .contains("policy-deny ada file-system__list", "policy-lift ada file-system__list");
    }

    private static String verdict(FleetCommands commands) {
        return commands.policy(new PolicyQuestion("file-system__list", "coder", null, null, null)).json()
                .path("verdict").asString("");
    }

    @Test
    void aLetterIsShownTriedAndSentAgain() throws Exception {
        FleetCommands commands = commands();
        LetterAddress good = letter("malformed: of an old worker", CALL);
        LetterAddress bad = letter("malformed: not JSON", "no json");
        assertThat(commands.letter(good).json().at("/value/name").asString("")).isEqualTo("bash__exec");
        assertThat(commands.letter(new LetterAddress(0, 4_711)).done()).isFalse();

        Outcome tried = commands.dispose(Disposal.REPLAY, List.of(good, bad), ADA, true);
        assertThat(tried.done()).as(tried.lines().toString()).isTrue();
        assertThat(tried.lines()).last().asString().isEqualTo("Replay 1 dead letter?");
        assertThat(tried.lines().toString()).contains(good.toString(), bad + " cannot be replayed: it would be a dead"
                + " letter again");
        Outcome hopeless = commands.dispose(Disposal.REPLAY, List.of(bad), ADA, true);
        assertThat(hopeless.done()).isFalse();
        assertThat(commands.letter(good).json().has("done")).isFalse();
        assertThat(commands.dispose(Disposal.DISCARD, List.of(), ADA, false).done())
                .as("no letter does not mean all letters").isFalse();

        Outcome replayed = commands.dispose(Disposal.REPLAY, List.of(good), ADA, false);
        Outcome discarded = commands.dispose(Disposal.DISCARD, List.of(bad), ADA, false);

        assertThat(replayed.done()).as(replayed.lines().toString()).isTrue();
        assertThat(replayed.lines().toString()).contains("replayed 1 dead letter");
        assertThat(discarded.done()).as(discarded.lines().toString()).isTrue();
        assertThat(commands.letter(bad).json().path("done").path("by").asString("")).isEqualTo("ada");
        assertThat(audit()).extracting(AuditEvent::action).contains("dlq-replay", "dlq-discard");
        assertThat(commands.dispose(Disposal.REPLAY, List.of(good), ADA, false).lines().toString())
                .contains("was replayed before");
    }

    @Test
    void aLaneGoesOnPastAStuckCall() throws Exception {
        Sent stuck = send("lane", "stuck", "bash__exec", args("command", "sleep 50"));
        Sent behind = send("lane", "behind", "bash__exec", args("command", "true"));
        await().atMost(SOON).untilAsserted(() -> assertThat(commands().explain(stuck.id()).json().toString())
                .contains("running"));
        assertThat(commands().skip("other", stuck.id(), ADA).done()).isFalse();

        Outcome skipped = commands().skip("lane", stuck.id(), ADA);

        assertThat(skipped.done()).as(skipped.lines().toString()).isTrue();
        assertThat(get(behind.handle().result()).status()).isEqualTo(ResultStatus.OK);
        assertThat(commands().cancel(List.of(view(stuck, null, CallStage.ACCEPTED)), ADA).done()).isTrue();
        assertThat(code(get(stuck.handle().result()))).isEqualTo("E_TOOL_CANCELLED");
        assertThat(audit()).extracting(event -> event.action() + " " + event.by() + " " + event.target())
                .contains("lane-skip ada lane");
    }

    @Test
    void callsAreCancelledEachWithItsAuditEventInAChainThatHolds() throws Exception {
        Sent runs = send("cancel-1", "runs", "bash__exec", args("command", "sleep 50"));
        Sent waits = send("cancel-2", "waits", "file-system__mkdir", args("path", "never"));
        Sent ended = send("cancel-3", "ended", "bash__exec", args("command", "true"));
        String handle = requireNonNull(get(waits.handle().firstResult()).handle());
        get(ended.handle().result());

        Outcome outcome = commands().cancel(List.of(view(runs, null, CallStage.ACCEPTED),
                view(waits, handle, CallStage.APPROVAL), view(ended, null, CallStage.ENDED)), ADA);

        assertThat(outcome.done()).as(outcome.lines().toString()).isTrue();
        assertThat(outcome.lines()).hasSize(2).first().asString().contains("call ended (bash__exec, record ",
                "has ended before");
        assertThat(outcome.lines()).last().asString().contains("2 calls are cancelled");
        assertThat(code(get(runs.handle().result()))).isEqualTo("E_TOOL_CANCELLED");
        assertThat(code(get(waits.handle().result()))).isEqualTo("E_TOOL_CANCELLED");
        List<AuditEvent> cancels = audit().stream().filter(event -> event.action().equals("cancel")).toList();
        assertThat(cancels).filteredOn(event -> requireNonNull(event.call()).instanceKey().startsWith("cancel-"))
                .hasSize(2).allSatisfy(event -> {
                    assertThat(event.kind()).isEqualTo(AuditEvent.Kind.OPERATOR);
                    assertThat(event.by() + ": " + event.reason()).isEqualTo("ada: Incident 7");
                }).extracting(AuditEvent::target)
                .containsExactlyInAnyOrder(CallCancellation.place(runs.id()), CallCancellation.place(waits.id()));
        TypedCommands typed = TypedCommands.of(160);
        assertThat(new AuditVerification(new RemoteFleet(fleet().config(), typed.terminal(), InstantSource.system()))
                .verify(null, null, null, false)).as(typed.out().toString()).isZero();
    }

    @Test
    void theStateHasWorkersPartitionsAndCalls() throws Exception {
        Sent slow = send("state", "slow", "bash__exec", args("command", "sleep 50"));
        Sent next = send("state", "next", "bash__exec", args("command", "true"));
        FleetCommands commands = commands();
        await().atMost(SOON).untilAsserted(() -> {
            FleetState state = commands.fleet();
            assertThat(state.problems()).isEmpty();
            assertThat(state.group()).isEqualTo("toolfleet");
            assertThat(state.workers()).singleElement().satisfies(worker -> {
                assertThat(worker.name()).isEqualTo("worker-1");
                assertThat(worker.answers()).isTrue();
                assertThat(worker.partitions()).hasSize(FleetPlan.PARTITIONS);
                assertThat(worker.running()).isPositive();
                assertThat(worker.queued()).isPositive();
                assertThat(worker.oldest()).isPositive();
            });
            assertThat(state.partitions()).hasSize(FleetPlan.PARTITIONS)
                    .allSatisfy(partition -> assertThat(partition.owner()).isEqualTo("worker-1"));
            PartitionState own = state.partitions().get(slow.id().partition());
            assertThat(own.lag()).isGreaterThanOrEqualTo(2);
            assertThat(own.end()).isGreaterThan(next.id().offset());
        });
        commands.cancel(List.of(view(slow, null, CallStage.ACCEPTED)), ADA);
        get(next.handle().result());
    }

    @Test
    void markersOfTransactionsAreNoLag() {
        Map<String, Object> config = new HashMap<>(fleet().config().kafka().clientProperties());
        config.put("transactional.id", "marker");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config, new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (int partition = 0; partition < FleetPlan.PARTITIONS; partition++)
                producer.send(new ProducerRecord<>(Topic.CALL.baseName(), partition, null, new byte[1]));
            producer.flush();
            producer.abortTransaction();
        }

        await().atMost(SOON).untilAsserted(
                () -> assertThat(commands().fleet().partitions()).extracting(PartitionState::lag).containsOnly(0L));
    }

    @Test
    void aWorkerThatDoesNotAnswerIsKnownByItsPartitions() {
        FleetState state = new FleetCommands(fleet().config(), () -> List.of(URI.create("http://127.0.0.1:1")),
                InstantSource.system()).fleet();

        assertThat(state.workers()).singleElement().satisfies(worker -> {
            assertThat(worker.answers()).isFalse();
            assertThat(worker.partitions()).hasSize(FleetPlan.PARTITIONS);
        });
        assertThat(state.problems()).anySatisfy(problem -> assertThat(problem).contains("http://127.0.0.1:1"))
                .anySatisfy(problem -> assertThat(problem).contains("Worker worker-1 has not answered"));
    }

    /// A call that was sent.
    private record Sent(CallId id, ToolCall call, CallHandle handle) {}

    private static Sent send(String instance, String id, String tool, ObjectNode args) throws Exception {
        ToolFleetClient client = requireNonNull(callers);
        get(client.beginStep(new StepStarted(instance, "coder", "t", "s", 1, null, null, null)));
        ToolCall call = ToolCall.of(id, tool, args, instance).inStep("coder", "t", "s", 1);
        CallHandle handle = client.call(call);
        SentCall sent = get(handle.sent());
        return new Sent(new CallId(sent.partition(), sent.offset()), call, handle);
    }

    private static CallView view(Sent sent, @Nullable String handle, CallStage stage) {
        Instant now = Instant.now();
        CallWait wait = handle == null
                ? null
                : new CallWait(handle, PendingCall.Kind.APPROVAL, null, null, now, now.plusSeconds(60), null);
        return new CallView(sent.id(), sent.call(), now, stage, null, null, wait, List.of(), null, EventId.ACCEPTED);
    }

    private static LetterAddress letter(String reason, String value) throws Exception {
        Headers headers = KafkaHeaders.of(Map.of());
        Map.of(WireHeaders.REASON, reason, WireHeaders.ORIGIN, Topic.CALL.baseName() + "/1/2", WireHeaders.WORKER,
                "w1", WireHeaders.ATTEMPT, "1")
                .forEach((name, text) -> headers.add(name, text.getBytes(StandardCharsets.UTF_8)));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(fleet().config().kafka().clientProperties(),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            var written = producer.send(new ProducerRecord<>(Topic.DEAD_LETTER.baseName(), null,
                    "key".getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8), headers)).get();
            return new LetterAddress(written.partition(), written.offset());
        }
    }

    private static List<AuditEvent> audit() {
        List<AuditEvent> events = new ArrayList<>();
        try (TopicScan scan = TopicScan.open(fleet().config().kafka().clientProperties(), SOON,
                TopicScan.Gauge.SILENT)) {
            scan.read(Topic.AUDIT.baseName(),
                    record -> events.add(WireCodec.of(AuditEvent.class).read(requireNonNull(record.value()))));
        }
        return events;
    }

    private static ObjectNode args(String name, String value) {
        return Json.MAPPER.createObjectNode().put(name, value);
    }

    private static String code(ToolResult result) {
        return result.error() == null ? "ok" : result.error().code();
    }

    private static FleetCommands commands() {
        return new FleetCommands(fleet().config(), () -> List.of(URI.create(fleet().workerUrl().orElseThrow())),
                InstantSource.system());
    }

    private static OneJvmFleet fleet() {
        return requireNonNull(shared);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
