/// `toolfleet dev`: a fleet that runs until Ctrl-C and takes up changes of its bundles.
@NullMarked
package dev.toolfleet.cli.dev;

import org.jspecify.annotations.NullMarked;
