package dev.toolfleet.embedded.junit;

import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.embedded.EmbeddedKafka;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;

/// The broker of this JVM's tests, and the count of fixtures made on it.
///
/// @param bootstrapServers its address
/// @param stop ends it
/// @param fixtures number of fixtures so far
record SharedBroker(String bootstrapServers, Runnable stop, AtomicInteger fixtures) implements AutoCloseable {

    static SharedBroker start() {
        EmbeddedKafkaConfig config = EmbeddedKafkaConfig.temporary();
        return switch (BrokerKind.chosen(System.getProperties(), BrokerKind::engineAnswers)) {
            case EMBEDDED -> {
                EmbeddedKafka broker = EmbeddedKafka.start(config);
                yield new SharedBroker(broker.bootstrapServers(), broker::close, new AtomicInteger());
            }
            case CONTAINER -> {
                ContainerBroker broker = ContainerBroker.start(config);
                yield new SharedBroker(broker.bootstrapServers(), broker::close, new AtomicInteger());
            }
        };
    }

    KafkaFixture fixture() {
        return new KafkaFixture(bootstrapServers, "t" + fixtures.incrementAndGet() + "-");
    }

    @Override
    public void close() {
        stop.run();
    }
}
