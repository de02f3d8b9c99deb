/// The catalog service's names in logs and metrics.
@NullMarked
package dev.toolfleet.catalog.telemetry;

import org.jspecify.annotations.NullMarked;
