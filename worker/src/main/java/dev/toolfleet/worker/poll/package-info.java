/// Reading of calls: the only code that touches the group's consumer.
@NullMarked
package dev.toolfleet.worker.poll;

import org.jspecify.annotations.NullMarked;
