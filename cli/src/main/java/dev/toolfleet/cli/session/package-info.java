/// Sessions on the command line: their messages, and transcripts in files.
@NullMarked
package dev.toolfleet.cli.session;

import org.jspecify.annotations.NullMarked;
