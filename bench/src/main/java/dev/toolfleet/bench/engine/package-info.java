/// Engines of a comparison: a tool of a fleet, and its alternatives, each in a process of its own.
@NullMarked
package dev.toolfleet.bench.engine;

import org.jspecify.annotations.NullMarked;
