package dev.toolfleet.cli.table;

/// ANSI colours, or none.
///
/// @param coloured whether the terminal takes them
public record Style(boolean coloured) {
    /// Meaning of a text.
    public enum Tone {
        /// Nothing special.
        PLAIN(""),
        /// Less important.
        DIM("2"),
        /// More important.
        BOLD("1"),
        /// It went well.
        GOOD("32"),
        /// It failed.
        BAD("31"),
        /// It goes on.
        WAITING("33"),
        /// A name.
        NAME("36");

        private final String code;

        Tone(String code) {
            this.code = code;
        }
    }

    /// `text` in that tone.
    public String paint(Tone tone, String text) {
        return coloured && !tone.code.isEmpty() ? "\u001B[" + tone.code + "m" + text + "\u001B[0m" : text;
    }
}
