/// Which call starts when, and on which thread.
@NullMarked
package dev.toolfleet.worker.lane;

import org.jspecify.annotations.NullMarked;
