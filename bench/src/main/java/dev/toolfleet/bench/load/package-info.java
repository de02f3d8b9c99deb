/// Which calls a run makes and when. Pure, from a seed.
@NullMarked
package dev.toolfleet.bench.load;

import org.jspecify.annotations.NullMarked;
