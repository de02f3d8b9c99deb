/// Compaction of transcripts that outgrow the model's window.
@NullMarked
package dev.toolfleet.session.compaction;

import org.jspecify.annotations.NullMarked;
