/// The jars of the images. This module has no code of its own; it collects the code of others.
@NullMarked
package dev.toolfleet.docker;

import org.jspecify.annotations.NullMarked;
