/// A Tool of a print shop, for an agent that is a shell script.
@NullMarked
package dev.toolfleet.example.httpagent;

import org.jspecify.annotations.NullMarked;
