package dev.toolfleet.cli.letter;

/// Judgement of a replay before it happens.
sealed interface Judgement {
    /// It can.
    ///
    /// @param note what a person should know before; may be empty
    record Possible(String note) implements Judgement {}

    /// It can if nothing waits that would refuse it.
    ///
    /// @param handle that has to be open
    record IfOpen(String handle) implements Judgement {}

    /// It would be a dead letter again, or worse.
    ///
    /// @param why what would become of it
    /// @param insisting whether a person may want it nevertheless
    record Refused(String why, boolean insisting) implements Judgement {}

    /// Nothing to say.
    Judgement FINE = new Possible("");

    private static Judgement again(String why) {
        return new Refused(why, true);
    }

    /// It would be refused like the first time.
    static Judgement stillBad(String why) {
        return again("it would be a dead letter again: " + why);
    }

    /// It cannot be, whatever a person wants.
    static Judgement never(String why) {
        return new Refused(why, false);
    }
}
