/// The jars of the images: this module has no code of its own, and gathers that of others.
@NullMarked
package dev.toolfleet.docker;

import org.jspecify.annotations.NullMarked;
