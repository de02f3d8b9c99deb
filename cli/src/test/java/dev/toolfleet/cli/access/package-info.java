@NullMarked
package dev.toolfleet.cli.access;

import org.jspecify.annotations.NullMarked;
