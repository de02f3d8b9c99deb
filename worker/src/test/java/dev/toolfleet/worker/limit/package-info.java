/// Tests of the limits.
@NullMarked
package dev.toolfleet.worker.limit;

import org.jspecify.annotations.NullMarked;
