package dev.toolfleet.worker.simulation;

/// Bugs to plant around the engine, so that what comes out of it is what it would do if it had them. Each is caught by
/// the seed that stands here.
enum Plant {
    NONE("none", -1, ""),
    /// Calls below the committed offset that have not ended are never run again.
    HIGHEST_OFFSET("committing the highest finished offset", 6, "G1 missing"),
    /// Calls beyond the committed offset that have ended are run again.
    NO_BITMAP("dropping the bitmap", 66, "G1 duplicate"),
    /// The broker takes what a live member writes, whoever owns the partition.
    NOT_OWNED("publishing an outcome whose epoch is no longer owned", 19, "G1 duplicate"),
    /// Nothing fences a worker that has lost the partition and does not know it.
    BARE_INTENT("an intent-only transaction without offsets", 68, "G3 left open"),
    /// The callback runs in a new generation already.
    STALE_MEMBER("committing in a revoke callback with the metadata of the last poll", 59, "revoke"),
    /// It may have taken place.
    ABORT_AND_REPEAT("aborting and repeating after a commit that timed out", 3, "G1 duplicate"),
    /// What is seen before it is committed may come twice.
    NOT_TRANSACTIONAL("publishing outside the transaction", 0, "G1 duplicate");

    final String bug;
    /// A seed that catches it.
    final long seed;
    /// How the violation begins that this seed finds.
    final String violation;

    Plant(String bug, long seed, String violation) {
        this.bug = bug;
        this.seed = seed;
        this.violation = violation;
    }

    SimProducer producer(SimCluster cluster, Fibers.Program program, String id, SimMember member) {
        return switch (this) {
            case NONE, NOT_OWNED -> new SimProducer(cluster, program, id);
            case HIGHEST_OFFSET -> new TamperedProducers.HighestOffset(cluster, program, id);
            case NO_BITMAP -> new TamperedProducers.NoBitmap(cluster, program, id);
            case BARE_INTENT -> new TamperedProducers.BareIntent(cluster, program, id);
            case STALE_MEMBER -> new TamperedProducers.StaleMember(cluster, program, id, member);
            case ABORT_AND_REPEAT -> new TamperedProducers.AbortAndRepeat(cluster, program, id);
            case NOT_TRANSACTIONAL -> new TamperedProducers.NotTransactional(cluster, program, id);
        };
    }
}
