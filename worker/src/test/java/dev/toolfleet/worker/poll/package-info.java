/// Tests of the poll loop.
@NullMarked
package dev.toolfleet.worker.poll;

import org.jspecify.annotations.NullMarked;
