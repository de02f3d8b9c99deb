/// The run's fleet: broker and workers, each a process of its own.
@NullMarked
package dev.toolfleet.bench.fleet;

import org.jspecify.annotations.NullMarked;
