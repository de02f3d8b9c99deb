/// Tests of the module as a whole.
@NullMarked
package dev.toolfleet;

import org.jspecify.annotations.NullMarked;
