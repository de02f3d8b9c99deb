/// Kafka Streams topology of the read model: the parts of each call, its indexes, and how they expire.
@NullMarked
package dev.toolfleet.gateway.topology;

import org.jspecify.annotations.NullMarked;
