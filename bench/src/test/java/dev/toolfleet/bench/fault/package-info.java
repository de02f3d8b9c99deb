/// Tests of this package.
@NullMarked
package dev.toolfleet.bench.fault;

import org.jspecify.annotations.NullMarked;
