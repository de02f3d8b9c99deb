/// Tests of the micro-benchmarks.
@NullMarked
package dev.toolfleet.bench.micro;

import org.jspecify.annotations.NullMarked;
