/// Tests of how handlers are run.
@NullMarked
package dev.toolfleet.worker.execute;

import org.jspecify.annotations.NullMarked;
