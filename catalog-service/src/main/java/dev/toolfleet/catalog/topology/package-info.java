/// The Kafka Streams topology that answers each step with its catalog.
@NullMarked
package dev.toolfleet.catalog.topology;

import org.jspecify.annotations.NullMarked;
