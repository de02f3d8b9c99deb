/// A run of many calls through one worker, and what of its heap they leave occupied.
@NullMarked
package dev.toolfleet.bench.memory;

import org.jspecify.annotations.NullMarked;
