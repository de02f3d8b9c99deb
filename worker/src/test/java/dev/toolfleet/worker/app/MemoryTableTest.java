package dev.toolfleet.worker.app;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.catalog.CatalogContentView;
import dev.toolfleet.worker.catalog.StepCatalogs;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.Digest128;
import dev.toolfleet.worker.identity.EarlierAnswer;
import dev.toolfleet.worker.identity.LogStart;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.ChangeSignal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Heap that a worker takes for one of each thing that it remembers, compared with the table "What a worker remembers" of
/// docs/operations.md. Prints the table.
@Tag("slow")
class MemoryTableTest {
    private static final Path OPERATIONS = Path.of("../docs/operations.md");
    private static final Pattern ROW = Pattern.compile("\\| (.+?) \\| ([0-9.]+) (B|KB|MB) \\|.*");
    private static final Map<String, Integer> UNITS = Map.of("B", 1, "KB", 1_000, "MB", 1_000_000);
    private static final DedupeConfig DEFAULTS = new DedupeConfig(Duration.ofMinutes(10), 20_000);
    private static final Instant CALLED = Instant.ofEpochMilli(1_700_000_000_000L);
    private static final int TOOLS = 10;
    /// Some collectors round arrays of a megabyte up.
    private static final double TOLERANCE = 1.6;

    @Test
    void theTableSaysWhatIsMeasured() throws IOException {
        Map<String, Double> measured = new TreeMap<>();
        measured.put("an assigned partition without calls", each(2_000, number -> partition()));
        measured.put("a remembered answer, in a full partition",
                each(10, number -> answers(DEFAULTS.maxEntries())) / DEFAULTS.maxEntries());
        measured.put("a restored result, until its record is finished", restoredResult());
        measured.put("a call that waits for its handle", each(1, number -> pending(20_000)) / 20_000);
        measured.put("a step's catalog, with seven earlier steps: a record of 1.6 KB", stepCatalog());
        measured.put("decoded step catalogs, of the whole worker",
                each(1, number -> steps(20_000)) - 20_000 * stepCatalog());
        measured.put("a catalog's content of 10 tools: a record of 4.8 KB",
                each(1, number -> contents(1_000)) / 1_000);
        measured.put("a bundle of 10 tools, without its code", each(1, number -> bundles(100)) / 100);

        measured.forEach((what, bytes) -> System.out.println("| " + what + " | " + figure(bytes) + " |"));
        Map<String, Double> documented = documented();
        assertThat(documented).containsOnlyKeys(measured.keySet());
        measured.forEach((what, bytes) -> assertThat(documented.get(what)).as(what + ": " + figure(bytes))
                .isBetween(bytes / TOLERANCE, bytes * TOLERANCE));
    }

    @Test
    void theRecordOfAStepIsMostOfWhatItTakes() {
        int record = WireCodec.of(StepCatalog.class).write(step(12_345)).length;
        assertThat(stepCatalog()).isLessThan(1.2 * record);
    }

    private static PartitionState partition() {
        return new PartitionState(DEFAULTS, System::nanoTime);
    }

    private static PartitionState answers(int count) {
        PartitionState state = partition();
        // Every call is finished: none asks for its result by its record.
        state.restoreStart(new LogStart(count, count, CALLED.toEpochMilli(), true, LogStart.Doubt.NONE));
        restore(state, count);
        return state;
    }

    /// Beyond what the answer takes.
    private static double restoredResult() {
        int count = DEFAULTS.maxEntries();
        return (each(10, number -> {
            PartitionState state = partition();
            state.restoreStart(new LogStart(0, 0, CALLED.toEpochMilli(), true, LogStart.Doubt.NONE));
            restore(state, count);
            return state;
        }) - each(10, number -> answers(count))) / count;
    }

    private static void restore(PartitionState state, int count) {
        for (int call = 0; call < count; call++) {
            String identity = "instance-" + call + "/turn-1/step-1/call-1";
            state.restoreAnswer(identity, call, CALLED.toEpochMilli(),
                    new EarlierAnswer(Digest128.of(identity), call, CALLED.toEpochMilli()), false);
        }
    }

    private static PartitionState pending(int count) {
        PartitionState state = partition();
        for (int call = 0; call < count; call++) {
            state.restorePending(new OpenHandle("instance-" + call + "/turn-1/step-1/call-1", "0".repeat(64),
                    id("handle", call), call, id("instance", call), id("call", call), "coder", id("turn", call),
                    id("step", call), CALLED, new ToolRef("acme", "build", "run"), null));
        }
        return state;
    }

    /// Of those that were not used lately.
    private static double stepCatalog() {
        return (each(1, number -> steps(20_000)) - each(1, number -> steps(5_000))) / 15_000;
    }

    private static StepCatalogs steps(int count) {
        StepCatalogs steps = new StepCatalogs(new ChangeSignal());
        WireCodec<StepCatalog> codec = WireCodec.of(StepCatalog.class);
        for (int number = 0; number < count; number++)
            steps.apply(0, id("instance", number) + "/coder", codec.write(step(number)), 0);
        return steps;
    }

    private static StepCatalog step(int instance) {
        List<RecentStep> recent = IntStream.rangeClosed(1, StepCatalog.RECENT)
                .mapToObj(before -> new RecentStep(id("turn", instance), id("step", instance * 10 + before), digest()))
                .toList();
        return new StepCatalog(id("instance", instance), "coder", id("turn", instance), id("step", instance * 10), 9,
                digest(), digest(), "acme", 17, null, CALLED, false, recent);
    }

    private static String digest() {
        return "sha256:" + "0123456789abcdef".repeat(4);
    }

    /// As long as an id of a runtime often is.
    private static String id(String what, int number) {
        return what + "-" + String.format("%024d", number);
    }

    private static CatalogContentView contents(int count) {
        CatalogContentView contents = new CatalogContentView(new ChangeSignal());
        byte[] content = content();
        for (int number = 0; number < count; number++)
            contents.apply(0, digest() + number, content, 0);
        return contents;
    }

    private static byte[] content() {
        ResourceTable table = new ResourceTable();
        new TestResources().plan("acme", bundle("t", true)).forEach(entry -> table.apply(entry.key(), entry.value()));
        return Json.MAPPER.writeValueAsBytes(AgentTools.items(table.view(), "coder"));
    }

    private static ToolRegistry bundles(int count) {
        ToolRegistry registry = TestResources.registry(() -> Map.of("run", (ctx, input) -> null), false);
        for (int number = 0; number < count; number++)
            new TestResources().apply(registry, "bundle-" + number, bundle("t" + number, false));
        // They hold the registry until they have ended.
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("module-")));
        return registry;
    }

    private static ObjectNode[] bundle(String name, boolean agent) {
        ObjectNode[] resources = new ObjectNode[TOOLS + (agent ? 1 : 0)];
        String[] refs = new String[TOOLS];
        for (int number = 0; number < TOOLS; number++) {
            resources[number] = TestResources.tool(name + number, MemoryTableTest.class, "run");
            refs[number] = "Tool/" + name + number;
            ObjectNode export = TestResources.export(resources[number], "run").put("description",
                    "Looks something up and answers with what it has found, in as many words as a description has.");
            ObjectNode schema = export.putObject("parameters").put("type", "object");
            for (String property : List.of("path", "pattern", "limit"))
                schema.withObject("properties").putObject(property).put("type", "string").put("description",
                        "What it is, in one sentence.");
        }
        if (agent)
            resources[TOOLS] = TestResources.agent("coder", refs);
        return resources;
    }

    /// Bytes of live heap that one more of them takes.
    private static double each(int count, IntFunction<Object> make) {
        Object[] kept = new Object[count];
        assertThat(make.apply(0)).as("its classes are loaded").isNotNull();
        long before = liveBytes();
        for (int number = 0; number < count; number++)
            kept[number] = make.apply(number);
        long after = liveBytes();
        assertThat(kept).doesNotContainNull();
        return (double) (after - before) / count;
    }

    /// The serial collector leaves garbage that lies deep in the old generation; every fourth time it takes all of it.
    private static long liveBytes() {
        for (int collection = 0; collection < 4; collection++)
            System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static Map<String, Double> documented() throws IOException {
        Map<String, Double> rows = new TreeMap<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(OPERATIONS)) {
            inTable |= line.startsWith("### What a worker remembers");
            Matcher row = ROW.matcher(line);
            if (inTable && row.matches())
                rows.put(row.group(1), Double.parseDouble(row.group(2)) * UNITS.getOrDefault(row.group(3), 1));
            inTable &= !line.startsWith("## ");
        }
        return rows;
    }

    private static String figure(double bytes) {
        if (bytes < 1_000)
            return Math.round(bytes) + " B";
        return bytes < 1_000_000
                ? Math.round(bytes / 100) / 10.0 + " KB"
                : Math.round(bytes / 100_000) / 10.0 + " MB";
    }
}
