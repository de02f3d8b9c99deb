/// Common parts of the fleet's Kafka Streams topologies: the life of an instance, its settings, the memory of its
/// stores, and its outgoing records.
@NullMarked
package dev.toolfleet.streams;

import org.jspecify.annotations.NullMarked;
