/// A run with faults, from start to report.
@NullMarked
package dev.toolfleet.bench.crash;

import org.jspecify.annotations.NullMarked;
