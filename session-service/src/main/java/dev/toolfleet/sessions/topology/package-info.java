/// Topology of the session service, its stores, and the reading of these stores.
@NullMarked
package dev.toolfleet.sessions.topology;

import org.jspecify.annotations.NullMarked;
