/// Tests of what is measured, traced and logged.
@NullMarked
package dev.toolfleet.worker.telemetry;

import org.jspecify.annotations.NullMarked;
