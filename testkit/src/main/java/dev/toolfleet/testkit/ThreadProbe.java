package dev.toolfleet.testkit;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;

/// Finds threads that outlive a tool, virtual ones too: those show only in a thread dump.
final class ThreadProbe implements Probe {
    /// Threads that the JVM, a test runner or this kit starts itself, and those of OkHttp that all its users in a JVM
    /// share: they cannot be stopped, and end when they are idle.
    private static final Pattern OTHERS = Pattern
            .compile("ForkJoinPool.*|process reaper.*|VirtualThread-un(park|block)er.*"
                    + "|.*-Poller.*|MasterPoller.*|Common-Cleaner|CompletableFutureDelayScheduler|Attach Listener"
                    + "|Notification Thread|surefire-.*|junit-.*|contract-.*|JFR .*|RMI .*|JMX .*|OkHttp TaskRunner|Okio Watchdog");

    private final Path scratch;
    private final Map<Long, String> before;

    ThreadProbe(Path scratch) {
        this.scratch = scratch;
        this.before = live();
    }

    @Override
    public List<String> leaks() {
        return live().entrySet().stream().filter(thread -> !before.containsKey(thread.getKey()))
                .filter(thread -> !OTHERS.matcher(thread.getValue()).matches())
                .map(thread -> "thread #" + thread.getKey() + " '" + thread.getValue() + "'").toList();
    }

    private Map<Long, String> live() {
        Path file = scratch.resolve("threads.json");
        try {
            Files.deleteIfExists(file);
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpThreads(file.toString(),
                    ThreadDumpFormat.JSON);
            return read(Json.MAPPER.readTree(file));
        } catch (IOException e) {
            throw new IllegalStateException("Cannot dump the threads of this JVM to " + file, e);
        }
    }

    private static Map<Long, String> read(JsonNode dump) {
        Map<Long, String> threads = new TreeMap<>();
        for (JsonNode container : dump.path("threadDump").path("threadContainers"))
            for (JsonNode thread : container.path("threads"))
                threads.put(thread.path("tid").asLong(), thread.path("name").asString());
        return threads;
    }
}
