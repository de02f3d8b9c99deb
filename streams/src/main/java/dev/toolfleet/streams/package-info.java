/// What every Kafka Streams topology of the fleet has in common: the life of its instance, its settings, the memory of
/// its stores, and how its records leave.
@NullMarked
package dev.toolfleet.streams;

import org.jspecify.annotations.NullMarked;
