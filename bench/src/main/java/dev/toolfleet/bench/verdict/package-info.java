/// Verdict on the promises, from the facts of a run. Pure.
@NullMarked
package dev.toolfleet.bench.verdict;

import org.jspecify.annotations.NullMarked;
