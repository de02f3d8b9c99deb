package dev.toolfleet.embedded.junit;

import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.embedded.EmbeddedKafka;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;

/// The broker of this JVM's tests, and the count of fixtures made on it.
///
/// @param broker a started one
/// @param fixtures how many were given out
record SharedBroker(EmbeddedKafka broker, AtomicInteger fixtures) implements AutoCloseable {

    static SharedBroker start() {
        return new SharedBroker(EmbeddedKafka.start(EmbeddedKafkaConfig.temporary()), new AtomicInteger());
    }

    KafkaFixture fixture() {
        return new KafkaFixture(broker.bootstrapServers(), "t" + fixtures.incrementAndGet() + "-");
    }

    @Override
    public void close() {
        broker.close();
    }
}
