/// Tests of the lanes.
@NullMarked
package dev.toolfleet.worker.lane;

import org.jspecify.annotations.NullMarked;
