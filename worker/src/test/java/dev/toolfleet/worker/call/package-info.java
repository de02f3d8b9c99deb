/// Tests of calls on their way.
@NullMarked
package dev.toolfleet.worker.call;

import org.jspecify.annotations.NullMarked;
