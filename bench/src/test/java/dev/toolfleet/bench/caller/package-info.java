/// Tests of this package.
@NullMarked
package dev.toolfleet.bench.caller;

import org.jspecify.annotations.NullMarked;
