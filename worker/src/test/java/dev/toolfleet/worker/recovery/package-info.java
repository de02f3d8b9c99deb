/// Tests of the decision which calls run.
@NullMarked
package dev.toolfleet.worker.recovery;

import org.jspecify.annotations.NullMarked;
