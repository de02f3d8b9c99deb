/// Which partitions this worker owns, since when.
@NullMarked
package dev.toolfleet.worker.assignment;

import org.jspecify.annotations.NullMarked;
