/// The words under which the catalog service logs.
@NullMarked
package dev.toolfleet.catalog.telemetry;

import org.jspecify.annotations.NullMarked;
