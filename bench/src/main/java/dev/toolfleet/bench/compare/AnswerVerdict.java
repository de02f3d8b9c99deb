package dev.toolfleet.bench.compare;

/// Check of the answers of a fast engine.
///
/// @param missing calls without a result
/// @param duplicates results of calls that have one
/// @param disordered results that stand behind one of a later call of their instance
/// @param wrong results that are not ok, or say something else than their call
public record AnswerVerdict(int missing, int duplicates, int disordered, int wrong) {
    /// True if nothing is amiss.
    public boolean clean() {
        return missing == 0 && duplicates == 0 && disordered == 0 && wrong == 0;
    }
}
