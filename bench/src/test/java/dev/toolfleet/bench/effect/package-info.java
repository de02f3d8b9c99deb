/// Tests of this package.
@NullMarked
package dev.toolfleet.bench.effect;

import org.jspecify.annotations.NullMarked;
