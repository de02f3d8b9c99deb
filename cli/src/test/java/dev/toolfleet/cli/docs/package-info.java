/// Documents say what the code does.
@NullMarked
package dev.toolfleet.cli.docs;

import org.jspecify.annotations.NullMarked;
