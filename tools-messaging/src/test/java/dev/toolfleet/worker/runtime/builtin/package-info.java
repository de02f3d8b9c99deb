/// Tests of all built-in Tools, those of this module among them.
@NullMarked
package dev.toolfleet.worker.runtime.builtin;

import org.jspecify.annotations.NullMarked;
