/// Names of what the worker logs.
@NullMarked
package dev.toolfleet.worker.telemetry;

import org.jspecify.annotations.NullMarked;
