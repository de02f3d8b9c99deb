/// The step middlewares that ship with the fleet.
@NullMarked
package dev.toolfleet.catalog.builtin;

import org.jspecify.annotations.NullMarked;
