package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;

/// Look into a JVM of this machine, by the `jcmd` of the JDK that runs this.
public final class LiveJvm {
    /// The last line of `GC.class_histogram`: instances, bytes.
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+(\\d+)\\s+(\\d+)\\s*$");
    /// Threads that carry virtual ones: the JVM has as many as it has processors, and some more while one is pinned.
    private static final String CARRIERS = "ForkJoinPool";

    private LiveJvm() {}

    /// Bytes of the heap that are in use after a collection.
    ///
    /// @throws IllegalStateException when it does not answer
    public static long heapBytes(long pid) throws IOException, InterruptedException {
        return total(jcmd(pid, "GC.class_histogram"));
    }

    /// The names of the threads, virtual ones too, without those that carry virtual ones.
    ///
    /// @throws IllegalStateException when it does not answer
    public static List<String> threads(long pid) throws IOException, InterruptedException {
        Path file = Files.createTempDirectory("toolfleet-bench").resolve("threads.json");
        try {
            String said = jcmd(pid, "Thread.dump_to_file", "-format=json", file.toString());
            if (!Files.exists(file))
                throw new IllegalStateException("jcmd says nothing of threads: " + beginning(said));
            return names(Json.MAPPER.readTree(Files.readString(file)));
        } finally {
            Files.deleteIfExists(file);
            Files.delete(file.resolveSibling(""));
        }
    }

    static List<String> names(JsonNode dump) {
        List<String> names = new ArrayList<>();
        for (JsonNode container : dump.path("threadDump").path("threadContainers")) {
            if (container.path("container").asString().startsWith(CARRIERS))
                continue;
            for (JsonNode thread : container.path("threads"))
                names.add(thread.path("name").asString());
        }
        if (names.isEmpty())
            throw new IllegalStateException("the thread dump names no thread: " + beginning(dump.toString()));
        return names;
    }

    static long total(String histogram) {
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find())
            throw new IllegalStateException("jcmd says nothing of the heap: " + beginning(histogram));
        return Long.parseLong(total.group(2));
    }

    private static String jcmd(long pid, String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        words.add(Long.toString(pid));
        Stream.of(command).forEach(words::add);
        Process jcmd = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!jcmd.waitFor(60, TimeUnit.SECONDS))
            throw new IllegalStateException("jcmd does not end");
        return said;
    }

    private static String beginning(String text) {
        return text.substring(0, Math.min(200, text.length()));
    }
}
