/// Tests of the worker as a whole, and what several of them need.
@NullMarked
package dev.toolfleet.worker;

import org.jspecify.annotations.NullMarked;
