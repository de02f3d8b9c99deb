/// Calls on their way: the facts that are known of each, and its place.
@NullMarked
package dev.toolfleet.worker.call;

import org.jspecify.annotations.NullMarked;
