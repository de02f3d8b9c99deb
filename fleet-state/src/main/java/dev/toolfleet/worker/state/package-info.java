/// Followers of state topics: they read a topic to its end, then follow it.
@NullMarked
package dev.toolfleet.worker.state;

import org.jspecify.annotations.NullMarked;
