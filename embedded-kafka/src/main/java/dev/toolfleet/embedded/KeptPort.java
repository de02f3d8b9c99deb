package dev.toolfleet.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/// The port of the last broker on a data folder, in a file of that folder.
///
/// **Why.** After a kill, a broker first sends the open ends of transactions to the address that its metadata log has,
/// which is the address of the killed one. On another port the end of a transaction may be lost to the group
/// coordinator, whose offsets are unstable then until the next start.
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
