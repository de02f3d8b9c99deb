package dev.toolfleet.bench.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.toolfleet.bench.fleet.SoloFleet;
import dev.toolfleet.bench.gateway.GatewayFindings.Disk;
import dev.toolfleet.topic.Topic;

/// Scales for the files of a read model: those of its stores, and those of the broker behind it.
final class ReadModelDisk {
    private static final List<Topic> READ = List.of(Topic.CALL, Topic.RESULT, Topic.PROGRESS, Topic.PENDING,
            Topic.DECISION);
    private static final String GROUP = "toolfleet.gateway-";
    private static final String CHANGELOG = "-changelog-";

    private ReadModelDisk() {}

    /// Weighs the stores of a gateway that has stopped, and what a broker holds of them and of the topics that they are
    /// made of.
    ///
    /// @param broker holds the broker's folder
    /// @param state the gateway's folder
    static Disk weigh(SoloFleet fleet, Path broker, Path state, int calls) throws IOException {
        Path logs = broker.resolve("broker");
        return new Disk(calls, fleet.records(READ), bytes(logs, folder -> READ.stream()
                .anyMatch(topic -> folder.matches(SoloFleet.topics().name(topic).replace(".", "\\.") + "-\\d+"))),
                bytes(state, folder -> true),
                bytes(logs, folder -> folder.startsWith(GROUP) && folder.contains(CHANGELOG)));
    }

    /// The size of the files below a folder that lie in a folder of an accepted name.
    static long bytes(Path root, Predicate<String> folder) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> folder.test(String.valueOf(file.resolveSibling("").getFileName())))
                    .filter(file -> !isIndex(file)).mapToLong(ReadModelDisk::size).sum();
        }
    }

    /// True for files that a broker allocates ahead.
    private static boolean isIndex(Path file) {
        return file.toString().endsWith("index");
    }

    private static long size(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
