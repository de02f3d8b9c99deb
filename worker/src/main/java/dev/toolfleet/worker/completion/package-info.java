/// Calls that finish later: the Kafka Streams topology that owns the state of every handle (`docs/decisions/0010`,
/// `docs/async-tools.md`).
@NullMarked
package dev.toolfleet.worker.completion;

import org.jspecify.annotations.NullMarked;
