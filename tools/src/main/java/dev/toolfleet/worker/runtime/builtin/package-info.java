/// The modules that ship with the fleet.
@NullMarked
package dev.toolfleet.worker.runtime.builtin;

import org.jspecify.annotations.NullMarked;
