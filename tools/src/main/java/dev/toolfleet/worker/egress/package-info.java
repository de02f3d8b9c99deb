/// Destinations that tools may reach: names, addresses and ports, and the proxy through which commands behind walls
/// connect.
@NullMarked
package dev.toolfleet.worker.egress;

import org.jspecify.annotations.NullMarked;
