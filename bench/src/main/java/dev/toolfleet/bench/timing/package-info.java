/// Durations.
@NullMarked
package dev.toolfleet.bench.timing;

import org.jspecify.annotations.NullMarked;
