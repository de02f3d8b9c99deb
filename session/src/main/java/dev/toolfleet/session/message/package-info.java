/// Messages of sessions: their order, and their form as entries of a transcript.
@NullMarked
package dev.toolfleet.session.message;

import org.jspecify.annotations.NullMarked;
