/// Lanes: the order in which calls start, and the threads on which they run.
@NullMarked
package dev.toolfleet.worker.lane;

import org.jspecify.annotations.NullMarked;
