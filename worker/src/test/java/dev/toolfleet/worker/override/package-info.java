/// Tests of ends that come from outside.
@NullMarked
package dev.toolfleet.worker.override;

import org.jspecify.annotations.NullMarked;
