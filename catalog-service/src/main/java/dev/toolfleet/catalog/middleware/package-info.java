/// The onion in which a step's catalog is made: the layers of an agent, and their runs.
@NullMarked
package dev.toolfleet.catalog.middleware;

import org.jspecify.annotations.NullMarked;
