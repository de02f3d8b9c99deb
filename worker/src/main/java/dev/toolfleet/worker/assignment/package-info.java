/// Ownership of partitions: the assignments of this worker, their epochs and its lease.
@NullMarked
package dev.toolfleet.worker.assignment;

import org.jspecify.annotations.NullMarked;
