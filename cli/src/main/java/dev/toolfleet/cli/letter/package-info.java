/// `toolfleet dlq`: looks at dead letters, sends them again, puts them away.
@NullMarked
package dev.toolfleet.cli.letter;

import org.jspecify.annotations.NullMarked;
