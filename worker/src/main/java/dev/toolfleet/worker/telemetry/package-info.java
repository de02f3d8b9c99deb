/// Names of what the worker logs and measures.
@NullMarked
package dev.toolfleet.worker.telemetry;

import org.jspecify.annotations.NullMarked;
