/// Gives principals the rights of their roles.
@NullMarked
package dev.toolfleet.cli.access;

import org.jspecify.annotations.NullMarked;
