/// Tests.
@NullMarked
package dev.toolfleet.worker.guard;

import org.jspecify.annotations.NullMarked;
