/// Tests of what a worker owns.
@NullMarked
package dev.toolfleet.worker.assignment;

import org.jspecify.annotations.NullMarked;
