package dev.toolfleet.cli.play;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;

/// Where results are written: a file, which is closed at the end, or standard output, which is not.
///
/// @param ours whether the writer is closed with this
record Results(PrintWriter writer, boolean ours) implements AutoCloseable {
    static Results open(Optional<Path> file, Terminal terminal) {
        if (file.isEmpty())
            return new Results(terminal.out(), false);
        try {
            return new Results(new PrintWriter(Files.newBufferedWriter(file.get(), StandardCharsets.UTF_8)), true);
        } catch (IOException e) {
            throw Failure.invalid("--results " + file.get() + " cannot be written: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        writer.flush();
        if (ours)
            writer.close();
    }
}
