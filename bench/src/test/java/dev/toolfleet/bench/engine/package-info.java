/// Tests of this package.
@NullMarked
package dev.toolfleet.bench.engine;

import org.jspecify.annotations.NullMarked;
