/// Tests of the module as a whole, and their common parts.
@NullMarked
package dev.toolfleet.gateway;

import org.jspecify.annotations.NullMarked;
