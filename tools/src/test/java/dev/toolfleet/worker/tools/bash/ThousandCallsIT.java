package dev.toolfleet.worker.tools.bash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// A worker runs for months: what one call in a thousand leaves behind stops it one day.
@Isolated("counts the threads, files and processes of this JVM")
@Tag("slow")
class ThousandCallsIT {
    private static final int CALLS = 1000;
    private static final int AT_A_TIME = 16;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final List<String> INPUTS = List.of(
            "{'command': 'sleep 74.5001 & setsid sleep 74.5002 >/dev/null 2>&1 & sleep 74.5003', 'timeoutMs': 80}",
            "{'command': 'echo $(mktemp) > /dev/null; setsid sleep 74.5004 & echo out; echo err >&2'}",
            "{'command': 'exit 3'}");

    private record Held(Set<String> threads, long files, Set<String> temporary, Set<String> groups) {
        static Held now() throws IOException {
            return new Held(threadNames(), count("/proc/self/fd"), names(System.getProperty("java.io.tmpdir")),
                    groupsOfThisProcess());
        }
    }

    @Test
    void aThousandCallsLeaveNothingBehind(@TempDir Path temp) throws Exception {
        Path workdir = Files.createDirectory(temp.toRealPath().resolve("w"));
        try (Sandbox sandbox = Sandbox.prepare(SandboxConfig.of(dev.toolfleet.config.Settings.of("worker.sandbox",
                java.util.Map.of()), dev.toolfleet.worker.egress.EgressConfig.DEFAULT), Path.of("/srv/workspace"))) {
            ToolHandler exec = Objects.requireNonNull(new BashModule(sandbox, workdir).handlers().get("exec"));
            run(exec, workdir, AT_A_TIME * INPUTS.size()); // Threads that the JDK and the sandbox start once.
            Held before = Held.now();

            List<ObjectNode> results = run(exec, workdir, CALLS);

            assertThat(results).hasSize(CALLS);
            assertThat(results.stream().filter(result -> result.path("timedOut").booleanValue()).count())
                    .as("a third of them timed out").isBetween(CALLS / 3L, CALLS / 3L + CALLS / 10);
            assertThat(BashSandboxIT.sleepers("74.500")).isEmpty();
            assertThat(ProcessHandle.current().descendants()).isEmpty();
            Awaitility.await().atMost(SOON).untilAsserted(() -> {
                Held after = Held.now();
                assertThat(after.threads).isSubsetOf(before.threads);
                assertThat(after.files).isLessThanOrEqualTo(before.files);
                assertThat(after.temporary.stream().filter(name -> name.startsWith("tmp.") || name.contains("bash")))
                        .isSubsetOf(before.temporary);
                assertThat(after.groups).isEmpty();
            });
            try (Stream<Path> files = Files.list(workdir)) {
                assertThat(files).isEmpty();
            }
        }
    }

    private static List<ObjectNode> run(ToolHandler exec, Path workdir, int calls) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME, Thread.ofVirtual().factory())) {
            List<Callable<ObjectNode>> all = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                ObjectNode input = BashSandboxIT.object(INPUTS.get(i % INPUTS.size()));
                all.add(() -> value(exec.handle(FakeToolContext.in(workdir), input)));
            }
            List<ObjectNode> results = new ArrayList<>();
            for (Future<ObjectNode> result : threads.invokeAll(all))
                results.add(result.get());
            return results;
        }
    }

    private static ObjectNode value(@Nullable ToolOutput output) {
        return (ObjectNode) Objects.requireNonNull(((ToolOutput.Value) Objects.requireNonNull(output)).value());
    }

    /// Without those of the JDK that wait for processes or carry virtual threads, which come and go.
    private static Set<String> threadNames() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .filter(name -> !name.matches("process reaper.*|ForkJoinPool.*|VirtualThread.*|awaitility.*"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long count(String folder) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(folder))) {
            return entries.count();
        }
    }

    private static Set<String> names(String folder) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(folder))) {
            return entries.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    private static Set<String> groupsOfThisProcess() throws IOException {
        Path root = Path.of("/sys/fs/cgroup");
        if (!Files.isDirectory(root))
            return Set.of();
        String ours = "toolfleet-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> groups = Files.find(root, 8,
                (path, attributes) -> attributes.isDirectory() && path.getFileName().toString().startsWith(ours))) {
            return groups.map(Path::toString).collect(Collectors.toSet());
        } catch (java.io.UncheckedIOException e) {
            return Set.of("a group went while they were counted: " + e.getMessage());
        }
    }
}
