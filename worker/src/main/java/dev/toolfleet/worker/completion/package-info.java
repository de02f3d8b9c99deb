/// Calls that finish later: the Kafka Streams topology that owns the state of every handle (DESIGN 6).
@NullMarked
package dev.toolfleet.worker.completion;

import org.jspecify.annotations.NullMarked;
