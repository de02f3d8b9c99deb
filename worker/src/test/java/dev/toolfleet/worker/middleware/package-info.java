/// Tests of the onion.
@NullMarked
package dev.toolfleet.worker.middleware;

import org.jspecify.annotations.NullMarked;
