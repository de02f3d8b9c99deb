/// Effects of the run's tools, kept in files that outlive their worker.
@NullMarked
package dev.toolfleet.bench.effect;

import org.jspecify.annotations.NullMarked;
