package dev.toolfleet.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/// The port of the last broker on a data folder, in a file of that folder.
///
/// **Why.** A broker on the data of a killed one sends the open ends of transactions before the controller has noticed
/// the kill: to the address that the metadata log has. On another port, nothing listens there. It sends again until the
/// killed broker's session ends, and Kafka 4.3.1 takes partitions that have no leader at that moment for deleted ones
/// and gives up the ends for them ("these partitions are likely deleted already"). Such a transaction stays open, and
/// members of its group wait for its offsets. On the old port the connection waits in the bound socket.
final class KeptPort {
    private static final String FILE = ".toolfleet.port";
    private static final int HIGHEST = 65_535;

    private final Path file;

    private KeptPort(Path file) {
        this.file = file;
    }

    static KeptPort of(Path folder) {
        return new KeptPort(folder.resolve(FILE));
    }

    /// Returns the port; empty if the file is absent or holds something else.
    OptionalInt read() {
        try {
            int port = Integer.parseInt(Files.readString(file, StandardCharsets.UTF_8).strip());
            return port > 0 && port <= HIGHEST ? OptionalInt.of(port) : OptionalInt.empty();
        } catch (IOException | NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    void write(int port) throws IOException {
        Files.writeString(file, port + "\n", StandardCharsets.UTF_8);
    }
}
