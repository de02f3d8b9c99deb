package dev.toolfleet.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class HostCommandIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aHostThatEndsAtOnceBreaksTheProtocol() throws IOException {
        Path host = Files.writeString(folder.resolve("host"), "#!/bin/sh\nexit 0\n");
        assertThat(host.toFile().setExecutable(true)).isTrue();

        assertThat(check(host.toString())).isEqualTo(Failure.FAILED);
        assertThat(out.toString()).contains("WRONG answers `hello`").contains("The program breaks the protocol.");
    }

    @Test
    void aProgramThatIsNotThereIsAnInvalidArgument() {
        assertThat(check(folder.resolve("nothing").toString())).isEqualTo(Failure.INVALID);
        assertThat(err.toString()).contains("nothing: there is no such file");
    }

    @Test
    void optionsOfTheProgramAreItsOwn() throws IOException {
        Path seen = folder.resolve("seen");
        Path host = Files.writeString(folder.resolve("host"), "#!/bin/sh\necho \"$@\" >'" + seen + "'\n");
        assertThat(host.toFile().setExecutable(true)).isTrue();

        assertThat(check(host.toString(), "--help", "-x")).isEqualTo(Failure.FAILED);
        assertThat(seen).hasContent("--help -x");
    }

    private int check(String... program) {
        Terminal terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false, false, 100);
        String[] arguments = new String[program.length + 2];
        arguments[0] = "host";
        arguments[1] = "check";
        System.arraycopy(program, 0, arguments, 2, program.length);
        return ToolfleetCommand.run(new CommandContext(terminal, Map.of()), arguments);
    }
}
