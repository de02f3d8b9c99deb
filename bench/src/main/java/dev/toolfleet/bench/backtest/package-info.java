/// A run of `toolfleet policy backtest` over many past calls.
@NullMarked
package dev.toolfleet.bench.backtest;

import org.jspecify.annotations.NullMarked;
