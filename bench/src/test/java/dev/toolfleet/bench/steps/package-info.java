/// Tests of the run of steps.
@NullMarked
package dev.toolfleet.bench.steps;

import org.jspecify.annotations.NullMarked;
