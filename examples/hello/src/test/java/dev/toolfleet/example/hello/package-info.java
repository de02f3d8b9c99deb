/// Tests of the example.
@NullMarked
package dev.toolfleet.example.hello;

import org.jspecify.annotations.NullMarked;
