package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;

import dev.toolfleet.embedded.BrokerCluster;
import dev.toolfleet.embedded.BrokerProcess;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;

/// Brokers of a run, each a process of its own; one of them may be away at a time.
public sealed interface Brokers extends AutoCloseable {
    /// The longest time until every partition has all its copies again.
    Duration COMPLETE = Duration.ofMinutes(2);

    /// Starts the brokers.
    ///
    /// @param count 1, or an odd number; a majority must be there
    static Brokers start(int count, RunFolder folder, int partitions) throws IOException, InterruptedException {
        EmbeddedKafkaConfig config = EmbeddedKafkaConfig.temporary().withPartitions(partitions);
        if (count == 1)
            return new One(BrokerProcess.start(config.withData(folder.broker()), folder.logs().resolve("broker.log")));
        return new Several(count, BrokerCluster.start(count, config, Files.createDirectories(folder.broker())));
    }

    /// `host:port` of all.
    String bootstrapServers();

    /// The number of brokers.
    int count();

    /// SIGKILL to one.
    ///
    /// @param number from 0
    void kill(int number);

    /// Starts one again after [#kill]; when it returns, another one may be killed.
    void restart(int number) throws InterruptedException;

    @Override
    void close();

    /// A broker that is alone.
    record One(BrokerProcess broker) implements Brokers {
        @Override
        public String bootstrapServers() {
            return broker.bootstrapServers();
        }

        @Override
        public int count() {
            return 1;
        }

        @Override
        public void kill(int number) {
            broker.kill();
        }

        @Override
        public void restart(int number) throws InterruptedException {
            broker.restart();
        }

        @Override
        public void close() {
            broker.close();
        }
    }

    /// Brokers with a copy of everything each.
    record Several(int count, BrokerCluster cluster) implements Brokers {
        @Override
        public String bootstrapServers() {
            return cluster.bootstrapServers();
        }

        @Override
        public void kill(int number) {
            cluster.broker(number + 1).kill();
        }

        @Override
        public void restart(int number) throws InterruptedException {
            cluster.broker(number + 1).restart();
            cluster.awaitComplete(COMPLETE);
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
