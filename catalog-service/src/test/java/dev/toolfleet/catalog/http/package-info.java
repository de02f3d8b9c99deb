/// Tests of routes against a running server, with fakes behind them.
@NullMarked
package dev.toolfleet.catalog.http;

import org.jspecify.annotations.NullMarked;
