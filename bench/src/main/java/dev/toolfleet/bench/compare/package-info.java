/// Comparisons of a fleet with what people would use instead of one: how fast, how soon, with how much memory, and
/// whether every call was answered once and in order meanwhile.
@NullMarked
package dev.toolfleet.bench.compare;

import org.jspecify.annotations.NullMarked;
