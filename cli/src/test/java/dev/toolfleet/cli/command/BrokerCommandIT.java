package dev.toolfleet.cli.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.Main;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// `toolfleet broker` as a process.
class BrokerCommandIT {
    @TempDir
    private Path folder = Path.of("");

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void killAll() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void aBrokerServesOtherProcessesAndGoesOnWithItsData() throws Exception {
        Process first = start();
        try (Admin admin = admin(first)) {
            admin.createTopics(List.of(new NewTopic("kept", 1, (short) 1))).all().get(1, TimeUnit.MINUTES);
        }
        first.destroy();
        assertThat(first.waitFor(1, TimeUnit.MINUTES)).as("stops when it is told to").isTrue();

        try (Admin admin = admin(start())) {
            assertThat(admin.listTopics().names().get(1, TimeUnit.MINUTES)).isEqualTo(Set.of("kept"));
        }
    }

    private Process start() throws IOException {
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), Main.class.getName(), "broker", "--data",
                folder.resolve("data").toString(), "--port", "0")
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        started.add(process);
        return process;
    }

    private static Admin admin(Process broker) throws IOException {
        BufferedReader output = broker.inputReader();
        String line = requireNonNull(output.readLine(), "it ended without a word");
        assertThat(line).startsWith("kafka.bootstrap ");
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, line.substring(line.indexOf(' ') + 1)));
    }
}
