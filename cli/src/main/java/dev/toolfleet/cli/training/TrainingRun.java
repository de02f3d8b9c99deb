package dev.toolfleet.cli.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.toolfleet.embedded.process.AotCache;
import dev.toolfleet.embedded.process.ChildJvm;

/// Makes an [AotCache]: one JVM writes down what it learns while it runs [TrainingMain], and another one makes the
/// cache of it. Used once, by one thread.
public final class TrainingRun {
    private static final List<String> FLAGS = List.of("-Xmx1g", "-XX:+UseG1GC");
    private static final Duration LEARNING = Duration.ofMinutes(5);
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
        learn(learned);
        make(learned);
    }

    private void learn(Path learned) throws InterruptedException {
        progress.accept("a fleet answers calls, and its JVM writes down what it learns ...");
        List<String> flags = new ArrayList<>(FLAGS);
        flags.addAll(AotCache.learn(learned));
        Path log = root.resolve("learn.log");
        try (ChildJvm learner = ChildJvm.start(new ChildJvm.Launch(TrainingMain.class, flags,
                List.of(root.resolve("fleet").toString()), log))) {
            learner.awaitReady(LEARNING);
            if (!learner.awaitEnd(MAKING))
                throw new IllegalStateException("the JVM that learned does not end; its log is " + log);
        }
    }

    private void make(Path learned) throws IOException, InterruptedException {
        progress.accept("making " + cache.file() + " of it ...");
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
