/// Tests.
@NullMarked
package dev.toolfleet.worker.completion;

import org.jspecify.annotations.NullMarked;
