/// A Tool whose calls finish later, and the process that finishes them.
@NullMarked
package dev.toolfleet.example.buildfarm;

import org.jspecify.annotations.NullMarked;
