/// From what was seen in a run to what that says of the promises. Pure.
@NullMarked
package dev.toolfleet.bench.verdict;

import org.jspecify.annotations.NullMarked;
