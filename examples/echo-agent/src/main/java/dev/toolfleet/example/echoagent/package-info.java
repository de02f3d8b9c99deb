/// An agent runtime in one file.
@NullMarked
package dev.toolfleet.example.echoagent;

import org.jspecify.annotations.NullMarked;
