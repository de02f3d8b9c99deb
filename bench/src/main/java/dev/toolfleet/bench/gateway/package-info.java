/// Comparison of the gateway with the Kafka client, and the cost of a gateway.
@NullMarked
package dev.toolfleet.bench.gateway;

import org.jspecify.annotations.NullMarked;
