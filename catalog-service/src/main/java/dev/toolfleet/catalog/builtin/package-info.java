/// The built-in step middlewares of the fleet.
@NullMarked
package dev.toolfleet.catalog.builtin;

import org.jspecify.annotations.NullMarked;
