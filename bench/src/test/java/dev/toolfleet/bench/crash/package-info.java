/// Tests of this package.
@NullMarked
package dev.toolfleet.bench.crash;

import org.jspecify.annotations.NullMarked;
