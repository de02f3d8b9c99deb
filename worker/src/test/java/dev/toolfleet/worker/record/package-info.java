/// Tests of the records that are published for calls.
@NullMarked
package dev.toolfleet.worker.record;

import org.jspecify.annotations.NullMarked;
