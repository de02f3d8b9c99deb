/// Tests of the bundle model.
@NullMarked
package dev.toolfleet.bundle;

import org.jspecify.annotations.NullMarked;
