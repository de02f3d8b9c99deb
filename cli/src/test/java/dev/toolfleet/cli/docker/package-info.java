@NullMarked
package dev.toolfleet.cli.docker;

import org.jspecify.annotations.NullMarked;
