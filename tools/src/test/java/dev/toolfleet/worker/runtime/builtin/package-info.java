/// Tests.
@NullMarked
package dev.toolfleet.worker.runtime.builtin;

import org.jspecify.annotations.NullMarked;
