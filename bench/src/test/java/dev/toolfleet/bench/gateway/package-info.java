/// Tests of this package.
@NullMarked
package dev.toolfleet.bench.gateway;

import org.jspecify.annotations.NullMarked;
