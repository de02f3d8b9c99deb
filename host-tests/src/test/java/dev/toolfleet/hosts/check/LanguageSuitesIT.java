package dev.toolfleet.hosts.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.hosts.check.ProtocolSchemaTest.Conversation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The hosts' tests in their own languages pass, and each message of those tests fits the schema.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LanguageSuitesIT {
    private static final Path SUITES = Path.of("src/test/languages");

    @TempDir
    private Path folder = Path.of("");

    /// CI installs Python; elsewhere these tests are skipped without it.
    @BeforeAll
    static void needsPrograms() {
        if (!"required".equals(System.getenv("SANDBOX_TESTS")))
            for (String program : List.of("/usr/bin/python3"))
                assumeTrue(Files.isExecutable(Path.of(program)), program + " is not installed");
    }

    @Test
    void nodeSuite() throws Exception {
        assertConversationsOf("node", "node", "--test");
    }

    @Test
    void pythonSuite() throws Exception {
        assertConversationsOf("python", "/usr/bin/python3", "-B", "-m", "unittest");
    }

    private void assertConversationsOf(String suite, String... command) throws IOException, InterruptedException {
        Path recordings = folder.resolve("recording");
        ProcessBuilder builder = new ProcessBuilder(command).directory(SUITES.resolve(suite).toFile())
                .redirectErrorStream(true);
        builder.environment().put("HOST_RECORDING", recordings.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(report).isZero();

        // One file for each conversation: ids are those of one process.
        try (var files = Files.list(folder)) {
            List<Path> conversations = files.toList();
            assertThat(conversations).hasSizeGreaterThan(4);
            List<String> faults = new ArrayList<>();
            for (Path conversation : conversations)
                faults.addAll(Conversation.faults(Files.readAllLines(conversation)));
            assertThat(faults).isEmpty();
        }
    }
}
