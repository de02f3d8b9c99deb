/// Tests of the backtest's benchmark.
@NullMarked
package dev.toolfleet.bench.backtest;

import org.jspecify.annotations.NullMarked;
