/// Tests of reading topics.
@NullMarked
package dev.toolfleet.worker.state;

import org.jspecify.annotations.NullMarked;
