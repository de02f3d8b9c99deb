/// Removes contents that nothing refers to any more.
@NullMarked
package dev.toolfleet.catalog.sweep;

import org.jspecify.annotations.NullMarked;
