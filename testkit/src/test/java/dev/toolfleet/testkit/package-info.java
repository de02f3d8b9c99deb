/// Tests of the test kit.
@NullMarked
package dev.toolfleet.testkit;

import org.jspecify.annotations.NullMarked;
