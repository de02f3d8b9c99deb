package dev.toolfleet.cli.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.cli.terminal.Terminal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import static org.assertj.core.api.Assertions.assertThat;

class CommandHelpTest {
    private static final CommandContext CONTEXT = new CommandContext(
            new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false, false, 100),
            Map.of());

    /// Returns the names of all commands of the shipped jar; the benchmarks are a jar of their own.
    static Stream<String> commands() {
        CommandLine root = new CommandLine(CommandSpec.create());
        Subcommands.addTo(root, CONTEXT);
        return root.getSubcommands().keySet().stream().filter(name -> !name.equals("bench"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aCommandThatIsNamedIsTheOnlyOneThatIsMade(String command) {
        CommandLine root = new CommandLine(CommandSpec.create());

        Subcommands.addNeeded(root, CONTEXT, command, "--help");

        assertThat(root.getSubcommands()).containsOnlyKeys(command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-v", "--log-format", "worke"})
    void withoutANameAllCommandsAreMade(String argument) {
        CommandLine root = new CommandLine(CommandSpec.create());

        Subcommands.addNeeded(root, CONTEXT, argument);

        assertThat(root.getSubcommands()).containsKeys("demo", "worker", "bench", "config");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasHelpWithAnExample(String command) {
        StringWriter out = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(new StringWriter()), false, false, 100);

        assertThat(ToolfleetCommand.run(new CommandContext(terminal, Map.of()), command, "--help")).isZero();

        terminal.out().flush();
        assertThat(out.toString()).contains("toolfleet " + command).contains("--verbose").contains("Example");
    }
}
