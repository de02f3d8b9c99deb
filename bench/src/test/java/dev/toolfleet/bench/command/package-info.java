/// What runs of `toolfleet bench` say.
@NullMarked
package dev.toolfleet.bench.command;

import org.jspecify.annotations.NullMarked;
