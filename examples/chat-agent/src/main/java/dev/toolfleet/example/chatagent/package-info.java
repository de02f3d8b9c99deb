/// An agent runtime in one file, which goes on where a killed one stopped.
@NullMarked
package dev.toolfleet.example.chatagent;

import org.jspecify.annotations.NullMarked;
