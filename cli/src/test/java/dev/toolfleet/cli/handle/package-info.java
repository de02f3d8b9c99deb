@NullMarked
package dev.toolfleet.cli.handle;

import org.jspecify.annotations.NullMarked;
