/// Tests of this package.
@NullMarked
package dev.toolfleet.bench;

import org.jspecify.annotations.NullMarked;
