/// Tests of the fleet's state as a whole, and fixtures that the worker's tests share.
@NullMarked
package dev.toolfleet.worker;

import org.jspecify.annotations.NullMarked;
