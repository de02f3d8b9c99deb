/// A run of many calls that are pending at one worker: what they take of it, and whether each ends once.
@NullMarked
package dev.toolfleet.bench.pending;

import org.jspecify.annotations.NullMarked;
