/// Tests of the module's shape.
@NullMarked
package dev.toolfleet.worker;

import org.jspecify.annotations.NullMarked;
