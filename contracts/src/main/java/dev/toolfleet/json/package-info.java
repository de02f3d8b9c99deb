/// JSON for the whole project: one mapper, canonical form, digests.
@NullMarked
package dev.toolfleet.json;

import org.jspecify.annotations.NullMarked;
