/// The script of `toolfleet run`: reading it, and which step starts when. No I/O, no Kafka.
@NullMarked
package dev.toolfleet.cli.script;

import org.jspecify.annotations.NullMarked;
