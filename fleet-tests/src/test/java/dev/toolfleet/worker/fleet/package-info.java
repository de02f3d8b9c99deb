/// Whole workers against a real broker.
@NullMarked
package dev.toolfleet.worker.fleet;

import org.jspecify.annotations.NullMarked;
