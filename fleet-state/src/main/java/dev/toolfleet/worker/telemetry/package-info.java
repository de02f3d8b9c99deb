/// Names of the worker's log keys, metrics and spans.
@NullMarked
package dev.toolfleet.worker.telemetry;

import org.jspecify.annotations.NullMarked;
