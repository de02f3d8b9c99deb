/// Tests of turns, with a fleet in memory.
@NullMarked
package dev.toolfleet.client.turn;

import org.jspecify.annotations.NullMarked;
