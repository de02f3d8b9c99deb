/// A Tool whose calls finish later, and the process that completes them.
@NullMarked
package dev.toolfleet.example.buildfarm;

import org.jspecify.annotations.NullMarked;
