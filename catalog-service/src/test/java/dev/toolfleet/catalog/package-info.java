/// Tests of the module as a whole, and what they share.
@NullMarked
package dev.toolfleet.catalog;

import org.jspecify.annotations.NullMarked;
