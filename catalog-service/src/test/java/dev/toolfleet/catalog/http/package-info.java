/// Routes against a running server, with fakes for what stands behind them.
@NullMarked
package dev.toolfleet.catalog.http;

import org.jspecify.annotations.NullMarked;
