/// Clients over HTTP.
@NullMarked
package dev.toolfleet.bench.caller;

import org.jspecify.annotations.NullMarked;
