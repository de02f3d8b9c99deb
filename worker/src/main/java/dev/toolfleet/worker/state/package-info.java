/// Reads a topic to its end, then follows it.
@NullMarked
package dev.toolfleet.worker.state;

import org.jspecify.annotations.NullMarked;
