/// The onion in which a step's catalog is made: which layers an agent has, and how they run.
@NullMarked
package dev.toolfleet.catalog.middleware;

import org.jspecify.annotations.NullMarked;
