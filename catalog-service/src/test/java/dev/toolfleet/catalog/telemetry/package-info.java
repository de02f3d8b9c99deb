/// Tests.
@NullMarked
package dev.toolfleet.catalog.telemetry;

import org.jspecify.annotations.NullMarked;
