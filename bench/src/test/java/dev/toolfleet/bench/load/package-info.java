/// Tests of this package.
@NullMarked
package dev.toolfleet.bench.load;

import org.jspecify.annotations.NullMarked;
