/// A run of steps through one catalog service: how soon each is answered, and what an answer costs.
@NullMarked
package dev.toolfleet.bench.steps;

import org.jspecify.annotations.NullMarked;
