package dev.toolfleet.cli.policy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.ResourceReader;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The operator's switch: what it writes, says and refuses.
@EmbeddedKafkaTest
class OperatorSwitchIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [{ref: {kind: Tool, name: file-system, package: "@toolfleet/base"}}]
            """;
    private static final String TOOL = "file-system__list";
    private static final AtomicInteger FLEETS = new AtomicInteger();

    @TempDir
    private Path folder = Path.of("");
    private final TypedCommands commands = TypedCommands.of(200);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();
    private final KafkaFixture kafka;
    private final String prefix = "switch" + FLEETS.incrementAndGet() + ".";

    OperatorSwitchIT(KafkaFixture kafka) {
        this.kafka = kafka;
    }

    @BeforeEach
    void aFleetWithABundle() throws IOException {
        bundle("");
        assertThat(run("topics", "create", "--partitions", "1")).as(err.toString()).isZero();
        assertThat(run("apply", "@toolfleet/base")).as(err.toString()).isZero();
        assertThat(run("apply", folder.toString(), "--name", "bundle")).as(err.toString()).isZero();
    }

    @Test
    void whatIsSwitchedOffIsDeniedExplainedListedAndAudited() {
        assertThat(run("policy", "lift", "--all")).isEqualTo(2);
        assertThat(err.toString()).contains("nothing is switched off");
        assertThat(run("policy", "denials")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("nothing is switched off");

        assertThat(run("policy", "deny", "File-System__*", "--for", "1h", "--reason", "Disks burn.", "--by", "ada"))
                .as(err.toString()).isZero();
        assertThat(out.toString()).contains("file-system__* is denied to everybody", "for 1 h 00 min", TOOL,
                "next step");
        explained();
        listed();

        assertThat(run("policy", "lift", "bash__*")).isEqualTo(2);
        assertThat(err.toString()).contains("'bash__*' is not switched off", "file-system__*");
        assertThat(run("policy", "lift", "file-system__*", "--reason", "It rains.")).as(err.toString()).isZero();
        assertThat(verdict()).isEqualTo("allow");
        assertThat(run("policy", "deny", "nothing__here", "--for", "30d", "--reason", "Odd.")).isZero();
        assertThat(err.toString()).contains("no tool of this fleet is called like nothing__here");
        audited();
    }

    @Test
    void theSameCodeUnderAnotherNameIsNamedAndDeniedByItsEntry() throws IOException {
        bundle("""
                ---
                apiVersion: goondan.ai/v1
                kind: Tool
                metadata: {name: disk}
                spec: {entry: builtin:file-system, exports: [{name: list, description: x}]}
                """);
        assertThat(run("apply", folder.toString(), "--name", "bundle")).as(err.toString()).isZero();

        assertThat(run("policy", "deny", TOOL, "--for", "1h", "--reason", "Disks burn.")).as(err.toString()).isZero();
        assertThat(err.toString()).contains("disk__list (bundle)", "toolfleet policy deny 'builtin:file-system'");

        assertThat(run("policy", "deny", "builtin:file-system", "--for", "1h", "--reason", "Disks burn."))
                .as(err.toString()).isZero();
        assertThat(out.toString()).contains("builtin:file-system is denied", "disk__list", TOOL);
        assertThat(err.toString()).doesNotContain("also reached");
        assertThat(run("policy", "explain", "disk__list", "--json")).isZero();
        assertThat(out.toString()).contains("@toolfleet/operator/deny/builtin:file-system");
        assertThat(run("policy", "lift", "builtin:file-system")).as(err.toString()).isZero();
    }

    @Test
    void noApplyTouchesWhatIsSwitchedOff() throws IOException {
        run("policy", "deny", TOOL, "--for", "1h", "--reason", "Disks burn.");
        bundle("""
                ---
                apiVersion: toolfleet.dev/v1
                kind: ToolPolicy
                metadata: {name: p}
                spec: {rules: [{tool: "*", verdict: allow}]}
                """);

        assertThat(run("apply", folder.toString(), "--name", "bundle")).as(err.toString()).isZero();
        assertThat(verdict()).isEqualTo("deny");
        assertThat(run("apply", folder.toString(), "--name", "@toolfleet/operator")).isEqualTo(2);
        assertThat(err.toString()).contains("the fleet's own");
        assertThat(verdict()).isEqualTo("deny");
    }

    @Test
    void itEndsByItselfAndTheNextSwitchRemovesIt() {
        assertThat(run("policy", "deny", TOOL, "--for", "300ms", "--reason", "A moment.")).as(err.toString()).isZero();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (verdict().equals("deny") && System.nanoTime() < deadline)
            Thread.onSpinWait();
        assertThat(verdict()).isEqualTo("allow");
        assertThat(denials()).as("nobody has removed it").hasSize(1);

        run("policy", "deny", "bash__*", "--for", "1h", "--reason", "Another one.");
        assertThat(denials()).containsExactly("bash__*");
    }

    @Test
    void whatCannotBeUsedIsRefusedAndNothingIsWritten() {
        refused("such as bash__exec", "finance:*", "--for", "1h");
        refused("either --for 1h or --until", TOOL);
        refused("either --for 1h or --until", TOOL, "--for", "1h", "--until", "2026-11-21T20:00:00Z");
        refused("is over", TOOL, "--until", "2020-11-21T20:00:00Z");
        refused("ends within 30 d", TOOL, "--for", "31d");

        assertThat(run("policy", "deny", TOOL, "--for", "1h")).as("a reason is needed").isEqualTo(2);
        assertThat(denials()).isEmpty();
    }

    private void refused(String says, String... arguments) {
        List<String> line = new ArrayList<>(List.of("policy", "deny", "--reason", "Odd."));
        line.addAll(List.of(arguments));
        assertThat(run(line.toArray(String[]::new))).as(says).isEqualTo(2);
        assertThat(err.toString()).contains(says);
    }

    private List<String> denials() {
        return new ResourceReader(prefix + "tool.resource", Map.of("bootstrap.servers", kafka.bootstrapServers()))
                .read().view().denials().stream().map(OperatorDenial::name).toList();
    }

    private String verdict() {
        assertThat(run("policy", "explain", TOOL, "--agent", "coder", "--json")).as(err.toString()).isZero();
        return Json.MAPPER.readTree(out.toString()).path("verdict").asString();
    }

    private void bundle(String more) throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE + more);
    }

    private void explained() {
        assertThat(run("policy", "explain", TOOL, "--agent", "coder")).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("deny by @toolfleet/operator/deny/file-system__* (global-deny): Switched off"
                        + " until ", " by ada: Disks burn.", "toolfleet policy lift 'file-system__*'");
        run("policy", "explain", TOOL, "--agent", "coder", "--json");
        JsonNode json = Json.MAPPER.readTree(out.toString());
        assertThat(json.at("/switchedOff/by").asString()).isEqualTo("ada");
        assertThat(json.at("/switchedOff/until").asString()).isNotEmpty();
    }

    private void listed() {
        run("policy", "denials");
        assertThat(out.toString()).contains("file-system__*", "ada", "Disks burn.");
        run("policy", "denials", "--json");
        JsonNode json = Json.MAPPER.readTree(out.toString());
        assertThat(json.at("/0/tool").asString()).isEqualTo("file-system__*");
        assertThat(json.at("/0/hits").toString()).contains(TOOL);
    }

    /// By target. What the broker or this command refused leaves no event.
    private void audited() {
        List<String> said = new ArrayList<>();
        WireCodec<AuditEvent> codec = WireCodec.of(AuditEvent.class);
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(10),
                TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(scan.partitions(prefix + "tool.audit")), record -> {
                AuditEvent event = codec.read(record.value());
                assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo(event.target());
                assertThat(event.kind()).isEqualTo(AuditEvent.Kind.OPERATOR);
                assertThat(event.until() == null).isEqualTo(event.action().equals("policy-lift"));
                said.add(event.action() + " " + event.target() + " " + event.reason());
            });
        }
        assertThat(said).containsExactlyInAnyOrder("policy-deny file-system__* Disks burn.",
                "policy-lift file-system__* It rains.", "policy-deny nothing__here Odd.");
    }

    private int run(String... arguments) {
        return commands.with("--bootstrap", kafka.bootstrapServers(), "--set", "topics.prefix=" + prefix)
                .run(arguments);
    }
}
