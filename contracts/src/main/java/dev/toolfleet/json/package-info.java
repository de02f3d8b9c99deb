/// JSON as the whole project reads and writes it: one mapper, canonical form, digests.
@NullMarked
package dev.toolfleet.json;

import org.jspecify.annotations.NullMarked;
