/// What the run's tools did, kept in files that outlive their worker.
@NullMarked
package dev.toolfleet.bench.effect;

import org.jspecify.annotations.NullMarked;
