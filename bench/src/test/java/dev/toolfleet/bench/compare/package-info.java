/// Tests of this package.
@NullMarked
package dev.toolfleet.bench.compare;

import org.jspecify.annotations.NullMarked;
