/// Tests of the example.
@NullMarked
package dev.toolfleet.example.buildfarm;

import org.jspecify.annotations.NullMarked;
