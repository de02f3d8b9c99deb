/// The guard, which may still change a result before it is published.
@NullMarked
package dev.toolfleet.worker.guard;

import org.jspecify.annotations.NullMarked;
