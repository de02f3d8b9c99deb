/// Records that are published for calls, guarded and measured.
@NullMarked
package dev.toolfleet.worker.record;

import org.jspecify.annotations.NullMarked;
