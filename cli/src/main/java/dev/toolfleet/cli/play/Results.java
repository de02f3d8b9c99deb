package dev.toolfleet.cli.play;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;

/// Destination of results: a file, which is closed at the end, or standard output, which is not.
///
/// @param name how a person is told of it
/// @param ours whether the writer is closed with this
record Results(PrintWriter writer, String name, boolean ours) implements AutoCloseable {
    static Results open(Optional<Path> file, Terminal terminal) {
        if (file.isEmpty())
            return new Results(terminal.out(), "standard output", false);
        try {
            return new Results(new PrintWriter(Files.newBufferedWriter(file.get(), StandardCharsets.UTF_8)),
                    "--results " + file.get(), true);
        } catch (IOException e) {
            throw Failure.invalid("--results " + file.get() + " cannot be written: " + e.getMessage());
        }
    }

    /// Flushes.
    ///
    /// @throws Failure when a line could not be written
    void check() {
        if (writer.checkError())
            throw Failure.failed(name + " could not be written: some results are missing there; is the disk full?");
    }

    @Override
    public void close() {
        writer.flush();
        if (ours)
            writer.close();
    }
}
