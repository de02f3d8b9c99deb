/// What answers the calls of a comparison: a tool of a fleet, and what people would use instead of one, each in a process
/// of its own.
@NullMarked
package dev.toolfleet.bench.engine;

import org.jspecify.annotations.NullMarked;
