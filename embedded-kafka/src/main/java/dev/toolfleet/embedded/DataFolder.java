package dev.toolfleet.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;

/// The folder of the broker's log, locked while this is open. Otherwise: two brokers on one metadata log ruin it before
/// the broker's own lock takes effect.
final class DataFolder implements AutoCloseable {

    private static final String LOCK_FILE = ".toolfleet.lock";

    private final Path path;
    private final boolean temporary;
    private final FileChannel lock;

    private DataFolder(Path path, boolean temporary, FileChannel lock) {
        this.path = path;
        this.temporary = temporary;
        this.lock = lock;
    }

    /// Creates the folder and formats it, unless it holds a broker's data.
    ///
    /// @throws EmbeddedKafkaException if it cannot be written, is in use, or holds something else
    static DataFolder open(Optional<Path> given, NodePlace place) {
        try {
            Path path = given.isPresent()
                    ? Files.createDirectories(given.get().toAbsolutePath().normalize())
                    : Files.createTempDirectory("toolfleet-kafka-").toAbsolutePath();
            checkContent(path);
            DataFolder folder = new DataFolder(path, given.isEmpty(), lock(path));
            try {
                folder.format(place);
                return folder;
            } catch (IOException | RuntimeException e) {
                folder.close();
                throw e;
            }
        } catch (IOException e) {
            throw new EmbeddedKafkaException("the data folder " + given.map(Path::toString).orElse("(temporary)")
                    + " cannot be used: " + e + "; choose one that this user may write", e);
        }
    }

    /// Absolute.
    Path path() {
        return path;
    }

    @Override
    public void close() {
        try (lock) {
            if (temporary) {
                deleteAll();
            }
        } catch (IOException e) {
            throw new EmbeddedKafkaException("the data folder " + path + " could not be given back: " + e, e);
        }
    }

    private static void checkContent(Path path) throws IOException {
        if (isFormatted(path)) {
            return;
        }
        try (Stream<Path> content = Files.list(path)) {
            if (content.anyMatch(each -> !each.endsWith(LOCK_FILE))) {
                throw new EmbeddedKafkaException("the data folder " + path
                        + " is not empty and holds no broker's data; choose an empty or a new folder");
            }
        }
    }

    private static boolean isFormatted(Path path) {
        return Files.exists(path.resolve(MetaPropertiesEnsemble.META_PROPERTIES_NAME));
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        if (!tryLock(channel)) {
            channel.close();
            throw new EmbeddedKafkaException("the data folder " + path
                    + " is in use by another broker; stop that one or choose another folder");
        }
        return channel;
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // Held in this JVM.
        }
    }

    private void format(NodePlace place) throws IOException {
        if (isFormatted(path)) {
            return;
        }
        try (PrintStream silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter().setPrintStream(silent)
                    .setNodeId(place.node())
                    .setClusterId(place.clusterId())
                    .setControllerListenerName(BrokerSettings.CONTROLLER)
                    .setMetadataLogDirectory(path.toString())
                    .addDirectory(path.toString())
                    .run();
        } catch (Exception e) {
            throw new IOException("formatting failed", e);
        }
    }

    private void deleteAll() throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(path)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : deepestFirst) {
            Files.deleteIfExists(each);
        }
    }
}
