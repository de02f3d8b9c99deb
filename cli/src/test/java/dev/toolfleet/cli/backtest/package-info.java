/// Tests of `toolfleet policy backtest`.
@NullMarked
package dev.toolfleet.cli.backtest;

import org.jspecify.annotations.NullMarked;
