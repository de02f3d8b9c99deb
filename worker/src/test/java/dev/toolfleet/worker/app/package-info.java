/// Tests of the assembled worker.
@NullMarked
package dev.toolfleet.worker.app;

import org.jspecify.annotations.NullMarked;
