package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.toolfleet.bench.fleet.AotCache;
import dev.toolfleet.bench.load.KeyMix;
import dev.toolfleet.embedded.process.ChildJvm;

/// Makes an AOT cache: a worker drains calls while its JVM writes down what it learns, and another JVM makes the cache of
/// it. Used once, by one thread.
public final class TrainingRun {
    private static final int CALLS = 60_000;
    private static final Load LOAD = new Load(Duration.ZERO, new KeyMix.Uniform(1_000), 200, 1);
    private static final Duration MAKING = Duration.ofMinutes(5);

    private final AotCache cache;
    private final Path root;
    private final Consumer<String> progress;

    /// @param root an empty folder for all that the run writes
    /// @param progress is told, line by line, how the run goes on
    public TrainingRun(AotCache cache, Path root, Consumer<String> progress) {
        this.cache = cache;
        this.root = root;
        this.progress = progress;
    }

    /// Runs. The cache is there as a whole or not at all.
    ///
    /// @throws IllegalStateException when it could not be made
    public void run() throws IOException, InterruptedException {
        Path learned = root.resolve("learned");
        Findings drained = new DrainRun(new DrainOptions(List.of(Arm.TOOLFLEET), List.of(LOAD), 1, CALLS, 0,
                new EngineOptions(AotCache.learn(learned), Map.of(), 0)), root, progress).run();
        if (!drained.kept())
            throw new IllegalStateException("the worker that was to learn did not answer all calls as it should");
        make(learned);
    }

    private void make(Path learned) throws IOException, InterruptedException {
        progress.accept("writing what was learned to " + cache.file() + " ...");
        Path log = root.resolve("make.log");
        Path made = Files.createTempFile(cache.file().getParent(), "toolfleet", ".aot-part");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(AotCache.make(learned, made));
        // A cache is of use to JVMs with the same of these only.
        command.addAll(ChildJvm.FLAGS);
        command.addAll(List.of("-cp", cache.jar().toString()));
        Process maker = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            if (!maker.waitFor(MAKING.toSeconds(), TimeUnit.SECONDS) || maker.exitValue() != 0)
                throw new IllegalStateException("the JVM made no cache; what it said is in " + log);
            Files.move(made, cache.file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            maker.destroyForcibly();
            Files.deleteIfExists(made);
        }
    }
}
