package dev.toolfleet.catalog.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.group;
import static dev.toolfleet.catalog.Bundles.inGroup;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

@EmbeddedKafkaTest
class StepMiddlewareIT {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final int PARTITION = 2;

    private final ObjectNode hints = Json.MAPPER.createObjectNode();
    private final AtomicInteger stepCount = new AtomicInteger();
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private Fleet fleet;
    @SuppressWarnings("NullAway.Init")
    private Fleet.Reader steps;
    @SuppressWarnings("NullAway.Init")
    private Fleet.Reader contents;

    @BeforeEach
    void create(KafkaFixture kafka) {
        fleet = new Fleet(kafka);
        steps = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS);
        contents = fleet.read(Topic.CATALOG_CONTENT, 1);
    }

    @AfterEach
    void close() {
        steps.close();
        contents.close();
        fleet.close();
    }

    @Test
    void whatASearchSelectedIsShownFromThenOnAlsoByTheServiceThatTakesOver() {
        fleet.bundles().apply("acme", tool("tool-search", "search"), tool("t", "a", "b"),
                inGroup("rare", tool("r", "x")),
                group("rare", "on-demand"), extension("tool-search", "builtin:tool-search"),
                using(agent("coder", "Tool/tool-search", "Tool/t", "Tool/r"), "tool-search", config -> {}));
        try (CatalogService service = fleet.start(folder.resolve("one"))) {
            assertThat(shown()).contains("t__a", "t__b").doesNotContain("r__x");

            found("r__x", "t__b");
            assertThat(awaitShown(content -> content.contains("r__x"))).contains("tool-search__search", "t__b")
                    .doesNotContain("t__a");
            assertThat(service.replacedThreads()).isZero();
        }
        try (CatalogService second = fleet.start(folder.resolve("two"))) {
            assertThat(shown()).contains("r__x", "t__b").doesNotContain("t__a");

            found("t__a");
            assertThat(awaitShown(content -> content.contains("t__a"))).doesNotContain("r__x").doesNotContain("t__b");
            assertThat(second.faults()).isEmpty();
        }
    }

    // No offset of the result's partition is committed, and the log's clock was two days late.
    @Test
    void aFirstResultIsRememberedWhateverItsTime() {
        fleet.bundles().apply("acme", tool("tool-search", "search"), tool("t", "a", "b"),
                extension("tool-search", "builtin:tool-search"),
                using(agent("coder", "Tool/tool-search", "Tool/t"), "tool-search", config -> {}));
        try (CatalogService first = fleet.start(folder.resolve("one"))) {
            assertThat(shown()).contains("t__a", "t__b");
            assertThat(first.faults()).isEmpty();
        }
        fleet.sendAt(Instant.now().minus(Duration.ofDays(2)), Topic.RESULT, PARTITION, "i", foundNow("t__a"));
        try (CatalogService second = fleet.start(folder.resolve("two"))) {
            assertThat(awaitShown(content -> !content.contains("t__b"))).contains("t__a");
            assertThat(second.faults()).isEmpty();
        }
    }

    @Test
    void aLayerThatThrowsShowsNothingOfWhatItWasHandedAndRequiredToolsStayAndStepsGoOn() {
        ObjectNode agent = using(agent("coder", "Tool/t"), "hiding", config -> {});
        agent.withObject("spec").putArray("requiredTools").add("t__a");
        fleet.bundles().apply("acme", tool("t", "a", "b", "secret"), agent,
                extension("hiding", "java:" + HidingByHint.class.getName()));
        try (CatalogService service = fleet.start(folder.resolve("one"))) {
            assertThat(shown()).contains("t__a").doesNotContain("t__b").doesNotContain("t__secret");
            assertThat(service.faults()).containsEntry("acme/hiding", 1L);

            hints.put("hide", "t__secret");
            assertThat(shown()).contains("t__a", "t__b").doesNotContain("t__secret");
            assertThat(service.faults()).containsEntry("acme/hiding", 1L);
            assertThat(service.problems()).isEmpty();
            assertThat(service.replacedThreads()).isZero();
        }
    }

    @Test
    void anExtensionWhoseJarIsMissingClosesItsAgentsCatalogsUntilARevisionWithoutIt() {
        Bundles bundles = fleet.bundles().apply("acme", Map.of("lib/missing.jar", "sha256:" + "0".repeat(64)),
                tool("t", "a"), using(agent("coder", "Tool/t"), "missing", config -> {}),
                extension("missing", "./lib/missing.jar#com.acme.Missing"));
        try (CatalogService service = fleet.start(folder.resolve("one"))) {
            assertThat(shown()).isEqualTo("[]");
            assertThat(service.problems().get("acme/missing")).contains("lib/missing.jar").contains("is missing");

            bundles.apply("acme", tool("t", "a"), agent("coder", "Tool/t"));
            assertThat(awaitShown(content -> content.contains("t__a"))).isNotEmpty();
            assertThat(service.problems()).isEmpty();
        }
    }

    @Test
    void aJarThatIsCopiedLaterIsFoundWithoutARestart() throws IOException {
        Path jar = jarOf(HidingByHint.class);
        fleet.bundles().apply("acme", Map.of("lib/hiding.jar", Digests.sha256(Files.readAllBytes(jar))),
                tool("t", "a", "b"), using(agent("coder", "Tool/t"), "hiding", config -> {}),
                extension("hiding", "./lib/hiding.jar#" + HidingByHint.class.getName()));
        hints.put("hide", "t__b");
        try (CatalogService service = fleet.start(folder.resolve("one"))) {
            assertThat(shown()).isEqualTo("[]");
            assertThat(service.notReady()).singleElement().asString().contains("acme/hiding", "hiding.jar");

            Path lib = Files.createDirectories(folder.resolve("bundles/acme/lib"));
            Files.move(jar, lib.resolve("hiding.jar"));
            assertThat(awaitShown(content -> content.contains("t__a"))).doesNotContain("t__b");
            assertThat(service.notReady()).isEmpty();
        }
    }

    private Path jarOf(Class<?> type) throws IOException {
        String entry = type.getName().replace('.', '/') + ".class";
        Path jar = folder.resolve("x.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream code = requireNonNull(type.getClassLoader().getResourceAsStream(entry))) {
            out.putNextEntry(new JarEntry(entry));
            code.transferTo(out);
        }
        return jar;
    }

    private void found(String... names) {
        fleet.send(Topic.RESULT, PARTITION, "i", foundNow(names));
    }

    private byte[] foundNow(String... names) {
        ObjectNode output = Json.MAPPER.createObjectNode().put("query", "any");
        for (String name : names)
            output.withArray("selectedTools").add(name);
        return RESULTS.write(new ToolResult("c" + stepCount, "tool-search__search", ResultStatus.OK, output, null, null,
                "i", "coder", "t", "s" + stepCount, 1, false, null, 0, null, null));
    }

    /// The content of the next step.
    private String shown() {
        String step = "s" + stepCount.incrementAndGet();
        fleet.send(PARTITION, "i", EVENTS.write(new StepStarted("i", "coder", "t", step, null, null, null, hints)));
        StepCatalog catalog = Fleet.catalog(steps.step("i", step));
        return new String(contents.first(content -> content.key().equals(catalog.digest())).value(),
                StandardCharsets.UTF_8);
    }

    /// Returns the content of the first next step that is as expected.
    private String awaitShown(Predicate<String> expected) {
        return Awaitility.await().atMost(Duration.ofMinutes(1)).pollInSameThread().until(this::shown, expected);
    }
}
