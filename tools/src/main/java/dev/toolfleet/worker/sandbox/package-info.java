/// Starts programs on behalf of agents behind walls and within limits, where the system has them, and ends them with all
/// that they started.
@NullMarked
package dev.toolfleet.worker.sandbox;

import org.jspecify.annotations.NullMarked;
