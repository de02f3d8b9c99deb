/// Faults of a run and their schedule. Pure, from a seed.
@NullMarked
package dev.toolfleet.bench.fault;

import org.jspecify.annotations.NullMarked;
