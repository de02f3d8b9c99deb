/// `toolfleet policy backtest`: past calls, judged again under another bundle.
@NullMarked
package dev.toolfleet.cli.backtest;

import org.jspecify.annotations.NullMarked;
