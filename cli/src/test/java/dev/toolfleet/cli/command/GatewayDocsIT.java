package dev.toolfleet.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// The commands of `docs/gateway.md` print what stands under them, one after the other, in one shell.
class GatewayDocsIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```\n\n```text\n(.*?)```", Pattern.DOTALL);
    private static final Pattern GATEWAY = Pattern.compile("(?m)^  gateway +(http\\S+)");
    private static final String DOCUMENTED = "gateway=http://127.0.0.1:7072\n";
    private static final String END = "---- end of block ----";

    @TempDir
    private Path folder = Path.of("");

    /// @param printed with `…` for any text
    private record Block(String commands, String printed) {}

    @Test
    void everyCommandPrintsWhatStandsUnderIt() throws Exception {
        Assumptions.assumeTrue("required".equals(System.getenv("SANDBOX_TESTS")) || (isThere("jq") && isThere("curl")),
                "curl or jq is not on the PATH");
        List<Block> blocks = BLOCK.matcher(Files.readString(ROOT.resolve("docs/gateway.md"))).results()
                .map(found -> new Block(found.group(1), found.group(2))).toList();
        assertThat(blocks).hasSizeGreaterThan(5);
        assertThat(blocks.getFirst().commands()).startsWith(DOCUMENTED);

        try (CommandProcesses commands = new CommandProcesses(folder)) {
            Process fleet = commands.start("fleet", "dev", "--port", "0", "--bundle",
                    ROOT.resolve("examples/http-agent").toString());
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> !fleet.isAlive() || commands.output("fleet").contains("Try, in another terminal"));
            List<String> printed = run(blocks, gateway(commands.output("fleet")));
            for (int i = 0; i < blocks.size(); i++)
                assertThat(printed.get(i)).as(blocks.get(i).commands()).matches(pattern(blocks.get(i).printed()));
        }
    }

    private static String gateway(String output) {
        Matcher line = GATEWAY.matcher(output);
        assertThat(line.find()).as(output).isTrue();
        return line.group(1);
    }

    private List<String> run(List<Block> blocks, String gateway) throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder("set -euo pipefail\n");
        for (Block block : blocks)
            script.append(block.commands().replace(DOCUMENTED, "gateway=" + gateway + "\n")).append("echo '")
                    .append(END).append("'\n");
        Path file = Files.writeString(folder.resolve("commands.sh"), script);
        Path output = folder.resolve("commands.out");
        Process shell = new ProcessBuilder("bash", file.toString()).directory(folder.toFile())
                .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertThat(shell.waitFor(3, TimeUnit.MINUTES)).isTrue();
        String printed = Files.readString(output);
        assertThat(shell.exitValue()).as(printed).isZero();
        return new ArrayList<>(List.of(printed.split(Pattern.quote(END) + "\n")));
    }

    private static Pattern pattern(String printed) {
        StringBuilder pattern = new StringBuilder();
        for (String part : printed.strip().split("…", -1))
            pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(part));
        return Pattern.compile("\\s*" + pattern + "\\s*");
    }

    private static boolean isThere(String command) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + command).start().waitFor() == 0;
    }
}
