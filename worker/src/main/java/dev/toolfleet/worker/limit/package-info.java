/// Limits of a tool on this worker: slots, rate and circuit breaker.
@NullMarked
package dev.toolfleet.worker.limit;

import org.jspecify.annotations.NullMarked;
