/// What breaks in a run and when. Pure, from a seed.
@NullMarked
package dev.toolfleet.bench.fault;

import org.jspecify.annotations.NullMarked;
