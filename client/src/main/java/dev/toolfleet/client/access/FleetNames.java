package dev.toolfleet.client.access;

import dev.toolfleet.topic.Topics;

/// Names of one fleet's things on the brokers.
///
/// @param topics the topics' names
/// @param workerGroup the workers' consumer group
/// @param catalogApplication the Kafka Streams application of the catalog services
/// @param gatewayApplication the Kafka Streams application of the gateways
/// @param sessionApplication the Kafka Streams application of the session services
public record FleetNames(Topics topics, String workerGroup, String catalogApplication, String gatewayApplication,
        String sessionApplication) {}
