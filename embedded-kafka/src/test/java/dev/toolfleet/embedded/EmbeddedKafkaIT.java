package dev.toolfleet.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(120)
@Isolated("compares the threads and temporary folders of this JVM")
class EmbeddedKafkaIT {

    private static final EmbeddedKafkaConfig TEMPORARY = EmbeddedKafkaConfig.temporary();

    @Test
    void aCommittedTransactionIsReadAndAnAbortedOneIsNot() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(TEMPORARY); Clients clients = new Clients(kafka)) {
            clients.createTopic("orders");
            try (var producer = clients.transactionalProducer("tx")) {
                producer.initTransactions();
                clients.inTransaction(producer, "orders", "aborted", false);
                clients.inTransaction(producer, "orders", "committed", true);
            }

            assertThat(clients.read("orders", 1)).containsExactly("committed");
        }
    }

    @Test
    void groupsCommitTheirOffsets() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(TEMPORARY); Clients clients = new Clients(kafka)) {
            clients.createTopic("orders");
            clients.send("orders", "first");

            assertThat(clients.readAsGroup("readers", "orders", 1)).containsExactly("first");
            clients.send("orders", "second");
            assertThat(clients.readAsGroup("readers", "orders", 1)).containsExactly("second");
        }
    }

    @Test
    void aRestartOnTheSameDataKeepsRecordsClusterAndPort(@TempDir Path folder) throws Exception {
        EmbeddedKafkaConfig restart;
        String cluster;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(onFixedPort().withData(folder));
                Clients clients = new Clients(kafka)) {
            clients.createTopic("orders");
            clients.send("orders", "before");
            cluster = kafka.clusterId();
            restart = kafka.config();
        }

        try (EmbeddedKafka kafka = EmbeddedKafka.start(restart); Clients clients = new Clients(kafka)) {
            assertThat(kafka.port()).isEqualTo(restart.port());
            assertThat(kafka.clusterId()).isEqualTo(cluster);
            clients.send("orders", "after");
            assertThat(clients.read("orders", 2)).containsExactly("before", "after");
        }
    }

    @Test
    void clientsOutliveARestartOnTheSamePort(@TempDir Path folder) throws Exception {
        EmbeddedKafka first = EmbeddedKafka.start(onFixedPort().withData(folder));
        try (Clients clients = new Clients(first)) {
            clients.createTopic("orders");
            clients.send("orders", "before");
            first.close();
            try (EmbeddedKafka second = EmbeddedKafka.start(first.config())) {
                clients.send("orders", "after");
                assertThat(clients.read("orders", 2)).containsExactly("before", "after");
                assertThat(second.bootstrapServers()).isEqualTo(first.bootstrapServers());
            }
        } finally {
            first.close();
        }
    }

    @Test
    void keptDataHasTheSamePortAgainAndAnotherOneWhereThatIsTaken(@TempDir Path folder) throws Exception {
        int port;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(TEMPORARY.withData(folder));
                Clients clients = new Clients(kafka)) {
            clients.createTopic("orders");
            clients.send("orders", "before");
            port = kafka.port();
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.start(TEMPORARY.withData(folder))) {
            assertThat(kafka.port()).isEqualTo(port);
        }
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"));
                EmbeddedKafka kafka = EmbeddedKafka.start(TEMPORARY.withData(folder));
                Clients clients = new Clients(kafka)) {
            assertThat(kafka.port()).isNotEqualTo(taken.getLocalPort());
            assertThat(clients.read("orders", 1)).containsExactly("before");
        }
    }

    @Test
    void aNoteOfThePortThatSaysNothingIsPassedOver(@TempDir Path folder) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(TEMPORARY.withData(folder))) {
            assertThat(kafka.folder().resolve(".toolfleet.port")).hasContent(kafka.port() + "\n");
        }
        for (String note : List.of("", "x", "0", "70000")) {
            Files.writeString(folder.resolve(".toolfleet.port"), note);
            try (EmbeddedKafka kafka = EmbeddedKafka.start(TEMPORARY.withData(folder))) {
                assertThat(kafka.port()).as(note).isPositive();
            }
        }
    }

    @Test
    void aPortInUseIsNamedAtOnce() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertThatExceptionOfType(EmbeddedKafkaException.class)
                    .isThrownBy(() -> EmbeddedKafka.start(TEMPORARY.withPort(taken.getLocalPort())))
                    .withMessageContaining("port " + taken.getLocalPort()).withMessageContaining("choose another port");
        }
    }

    @Test
    void dataThatABrokerUsesIsRefusedToASecondOne(@TempDir Path folder) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(TEMPORARY.withData(folder));
                Clients clients = new Clients(kafka)) {
            assertThatExceptionOfType(EmbeddedKafkaException.class)
                    .isThrownBy(() -> EmbeddedKafka.start(TEMPORARY.withData(folder)))
                    .withMessageContaining(folder.toString()).withMessageContaining("in use");
            clients.createTopic("still-served");
        }
    }

    @Test
    void aFolderWithOtherContentIsLeftAlone(@TempDir Path folder) throws Exception {
        Path precious = Files.writeString(folder.resolve("thesis.txt"), "text");

        assertThatExceptionOfType(EmbeddedKafkaException.class)
                .isThrownBy(() -> EmbeddedKafka.start(TEMPORARY.withData(folder)))
                .withMessageContaining(folder.toString()).withMessageContaining("not empty");
        assertThat(folder).isDirectoryContaining(precious::equals);
        assertThat(files(folder)).hasSize(1);
    }

    @Test
    void aFileInPlaceOfTheDataFolderIsNamed(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("data"), "text");

        assertThatExceptionOfType(EmbeddedKafkaException.class)
                .isThrownBy(() -> EmbeddedKafka.start(TEMPORARY.withData(file)))
                .withMessageContaining(file.toString());
    }

    @Test
    void dataOfAnotherNodeIsRefusedAndThePortGivenBack(@TempDir Path folder) throws Exception {
        EmbeddedKafkaConfig config;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(onFixedPort().withData(folder))) {
            config = kafka.config();
        }
        Path meta = folder.resolve("meta.properties");
        String ours = Files.readString(meta);
        Files.writeString(meta, ours.replace("node.id=1", "node.id=2"));

        assertThatExceptionOfType(EmbeddedKafkaException.class).isThrownBy(() -> EmbeddedKafka.start(config))
                .withMessageContaining(folder.toString()).withMessageContaining("node");

        Files.writeString(meta, ours);
        EmbeddedKafka.start(config).close();
    }

    @Test
    void aSettingWithAnInvalidValueIsNamed() {
        assertThatExceptionOfType(EmbeddedKafkaException.class)
                .isThrownBy(() -> EmbeddedKafka.start(TEMPORARY.withProperty("message.max.bytes", "many")))
                .withMessageContaining("message.max.bytes").withMessageContaining("many");
    }

    @Test
    void brokersFollowOneAnotherAndLeaveNoThreadAndNoTemporaryFolder() throws Exception {
        Set<Long> ofOthers = livingThreads();
        EmbeddedKafka.start(TEMPORARY).close();
        for (Thread thread : threads()) {
            if (thread.getName().contains("kafka") && !thread.isDaemon() && !ofOthers.contains(thread.threadId()))
                assertThat(thread.join(Duration.ofSeconds(60))).as("end of thread %s", thread.getName()).isTrue();
        }
        Set<Long> before = livingThreads();
        for (int round = 0; round < 2; round++) {
            EmbeddedKafka kafka = EmbeddedKafka.start(TEMPORARY);
            try (kafka; Clients clients = new Clients(kafka)) {
                clients.createTopic("orders");
                clients.send("orders", "one");
                assertThat(clients.read("orders", 1)).containsExactly("one");
                assertThat(kafka.folder()).exists();
            }
            assertThat(kafka.folder()).doesNotExist();
        }

        for (Thread thread : threads()) {
            if (!before.contains(thread.threadId())) {
                assertThat(thread.join(Duration.ofSeconds(60))).as("end of thread %s", thread.getName()).isTrue();
            }
        }
    }

    @Test
    void anInterruptedThreadStillClosesCompletely() {
        EmbeddedKafka kafka = EmbeddedKafka.start(onFixedPort());

        Thread.currentThread().interrupt();
        kafka.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(kafka.folder()).doesNotExist();
        EmbeddedKafka.start(kafka.config()).close();
    }

    @Test
    void partitionsAndSettingsComeFromTheConfiguration() throws Exception {
        EmbeddedKafkaConfig config = TEMPORARY.withPartitions(7).withProperty("message.max.bytes", "2000000");
        try (EmbeddedKafka kafka = EmbeddedKafka.start(config); Clients clients = new Clients(kafka)) {
            clients.createTopic("orders");

            assertThat(clients.partitions("orders")).isEqualTo(7);
            assertThat(clients.topicConfig("orders", "max.message.bytes")).isEqualTo("2000000");
        }
    }

    /// Returns a configuration with a port outside the range for outgoing connections: the test needs the same port
    /// after a restart.
    private static EmbeddedKafkaConfig onFixedPort() {
        return TEMPORARY.withPort(ListenSockets.freeFixedPort());
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static Set<Long> livingThreads() {
        return threads().stream().map(Thread::threadId).collect(Collectors.toSet());
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet();
    }
}
