/// What runs of `toolfleet bench` say.
@NullMarked
package dev.toolfleet.cli.bench;

import org.jspecify.annotations.NullMarked;
