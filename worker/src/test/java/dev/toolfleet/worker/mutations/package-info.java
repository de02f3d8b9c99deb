/// Mutation tests of the engine: known bugs that the simulation or a unit test must find.
@NullMarked
package dev.toolfleet.worker.mutations;

import org.jspecify.annotations.NullMarked;
