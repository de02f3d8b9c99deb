package dev.toolfleet.gateway.lists;

import java.util.List;

import dev.toolfleet.client.letter.Letter;

/// Newest dead letters.
///
/// @param letters the newest first
/// @param older the number of selected letters before these
public record LetterPage(List<Letter> letters, long older) {
    /// Copies the letters.
    public LetterPage {
        letters = List.copyOf(letters);
    }
}
