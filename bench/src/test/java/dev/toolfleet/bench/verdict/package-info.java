/// Tests of this package.
@NullMarked
package dev.toolfleet.bench.verdict;

import org.jspecify.annotations.NullMarked;
