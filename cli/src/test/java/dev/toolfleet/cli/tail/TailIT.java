package dev.toolfleet.cli.tail;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.cli.command.CommandContext;
import dev.toolfleet.cli.command.ToolfleetCommand;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// `toolfleet tail` over topics as agent runtimes and a fleet write them.
@EmbeddedKafkaTest
class TailIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: bank}
            spec:
              entry: builtin:file-system
              exports: [{name: read, description: Reads., parameters: {type: object}, accessesSensitiveData: true}]
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: files}
            spec:
              entry: builtin:file-system
              exports:
                - {name: read, description: Reads., parameters: {type: object}}
                - {name: list, description: Lists., parameters: {type: object}}
            """;
    private static final AtomicInteger FLEETS = new AtomicInteger();
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @TempDir
    private Path folder = Path.of("");
    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final String prefix = "tail" + FLEETS.incrementAndGet() + ".";

    TailIT(KafkaFixture kafka) {
        this.kafka = kafka;
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private void aFleet() throws Exception {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);
        assertThat(run("topics", "create", "--partitions", "2")).as(err.toString()).isZero();
        assertThat(run("apply", folder.toString(), "--name", "acme")).as(err.toString()).isZero();
    }

    @AfterEach
    void close() {
        producer.close();
    }

    @Test
    void callsAreFollowedFromNowOnAndFiltered() throws Exception {
        aFleet();
        call("before", "i", "files__read");
        CompletableFuture<Integer> tail = CompletableFuture.supplyAsync(
                () -> command(true, "tail", "calls", "--instance", "i", "--tool", "FILES__*", "--limit", "2"));
        awaitFollowing();

        call("one", "i", "files__read");
        call("other-instance", "j", "files__read");
        call("other-tool", "i", "bash__exec");
        producer.send(record("tool.call", "i", new byte[]{'\u001b', '['})).get();
        call("two", "i", "files__list");

        assertThat(tail.get(DEADLINE.toSeconds(), TimeUnit.SECONDS)).as(err.toString()).isZero();
        assertThat(out.toString()).containsPattern("(?s)files__read +one +path=notes.txt.*files__list +two");
        assertThat(out.toString()).doesNotContain("before", "other", "\u001b");
    }

    @Test
    void whatStandsThereIsReadToItsEndAsJsonWithoutWhatIsSensitive() throws Exception {
        aFleet();
        call("one", "i", "files__read");
        call("two", "j", "bank__read");
        call("three", "i", "nobody__declares");

        assertThat(run("tail", "calls", "--from-beginning", "--no-follow", "--json")).as(err.toString()).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.stream().map(line -> Json.MAPPER.readTree(line).path("record"))
                .map(call -> call.path("id").asString() + " " + call.at("/args/path").asString("") + " "
                        + call.path("hidden").asString("")))
                .containsExactlyInAnyOrder("one notes.txt ", "two  sensitive", "three  undeclared");
        assertThat(Json.MAPPER.readTree(lines.getFirst()).path("topic").asString()).isEqualTo(prefix + "tool.call");
        assertThat(run("tail", "calls", "--since", "1h", "--no-follow", "--limit", "1")).isZero();
        assertThat(out.toString().lines().filter(line -> line.contains("__"))).hasSize(1);
        assertThat(run("tail", "results", "--from-beginning", "--no-follow")).isZero();
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aCatalogIsShownWithTheToolsOfItsContent() throws Exception {
        aFleet();
        producer.send(record("tool.catalog.content", "sha256:abcdef0123456789",
                "[{\"name\":\"bash__exec\",\"description\":\"x\"},{\"name\":\"file__read\"}]"
                        .getBytes(StandardCharsets.UTF_8)))
                .get();
        producer.send(record("tool.catalog.step", "i/coder", WireCodec.of(StepCatalog.class)
                .write(new StepCatalog("i", "coder", "t", "s", 1, "sha256:abcdef0123456789", null, "acme", 7,
                        null, Instant.now(), false, List.of()))))
                .get();

        assertThat(run("tail", "catalog", "--from-beginning", "--no-follow", "--tool", "bash__*")).isZero();
        assertThat(out.toString()).as(err.toString()).contains("coder",
                "catalog abcdef012345, 2 tools, acme revision 7");
        assertThat(run("tail", "catalog", "--from-beginning", "--no-follow", "--tool", "http__*")).isZero();
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFollowerEndsWhenItsThreadIsInterruptedAsOnCtrlC() throws Exception {
        assertThat(run("topics", "create", "--partitions", "2")).as(err.toString()).isZero();
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> code.complete(command(true, "tail", "errors")));
        awaitFollowing();

        thread.interrupt();

        assertThat(code.get(DEADLINE.toSeconds(), TimeUnit.SECONDS)).as(err.toString()).isZero();
    }

    @Test
    void whatCannotBeUsedIsRefused() {
        assertThat(run("tail")).isEqualTo(2);
        assertThat(run("tail", "everything")).isEqualTo(2);
        assertThat(err.toString()).contains("'everything'").containsIgnoringCase("progress");
        assertThat(run("tail", "calls", "--no-follow")).isEqualTo(2);
        assertThat(err.toString()).contains("--no-follow", "--since TIME or --from-beginning");
        assertThat(run("tail", "calls", "--since", "1h", "--from-beginning")).isEqualTo(2);
        assertThat(run("tail", "calls", "--limit", "0")).isEqualTo(2);
        assertThat(run("tail", "calls", "--tool", "a b")).isEqualTo(2);
        assertThat(run("tail", "calls", "--set", "topics.prefix=nowhere.")).isEqualTo(1);
        assertThat(err.toString()).contains("nowhere.tool.call", "toolfleet topics create");
    }

    private void awaitFollowing() {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!err.toString().contains("following") && System.nanoTime() < deadline)
            Thread.onSpinWait();
        assertThat(err.toString()).contains("following " + prefix);
    }

    private void call(String id, String instance, String tool) throws Exception {
        ToolCall call = ToolCall.of(id, tool, Json.MAPPER.createObjectNode().put("path", "notes.txt"), instance)
                .inStep("coder", "t", "s", 1);
        producer.send(record("tool.call", instance, WireCodec.of(ToolCall.class).write(call))).get();
    }

    private ProducerRecord<byte[], byte[]> record(String topic, String key, byte[] value) {
        return new ProducerRecord<>(prefix + topic, key.getBytes(StandardCharsets.UTF_8), value);
    }

    private int run(String... arguments) {
        return command(false, arguments);
    }

    private int command(boolean interactive, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of("--bootstrap", kafka.bootstrapServers()));
        if (!List.of(arguments).contains("--set"))
            all.addAll(List.of("--set", "topics.prefix=" + prefix));
        all.addAll(0, List.of(arguments));
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), interactive, false, 200);
        int code = ToolfleetCommand.run(new CommandContext(terminal, Map.of()), all.toArray(String[]::new));
        terminal.out().flush();
        terminal.err().flush();
        return code;
    }
}
