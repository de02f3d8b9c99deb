/// How much of a tool is used at a time on this worker: slots, rate and circuit breaker.
@NullMarked
package dev.toolfleet.worker.limit;

import org.jspecify.annotations.NullMarked;
