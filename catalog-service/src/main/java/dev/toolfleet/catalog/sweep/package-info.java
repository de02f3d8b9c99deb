/// Removes contents that no step and no handle names any more.
@NullMarked
package dev.toolfleet.catalog.sweep;

import org.jspecify.annotations.NullMarked;
