/// The onion around a call.
@NullMarked
package dev.toolfleet.worker.middleware;

import org.jspecify.annotations.NullMarked;
