/// Tests of the bundle rules.
@NullMarked
package dev.toolfleet.bundle.check;

import org.jspecify.annotations.NullMarked;
