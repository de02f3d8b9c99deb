package dev.toolfleet.bundle;

/// Limit on the concurrent calls of an export on one worker.
public sealed interface Concurrency {
    /// Returns the limit on a machine with this number of processors; at least one.
    int on(int cores);

    /// The same limit everywhere.
    ///
    /// @param calls at least one
    record Fixed(int calls) implements Concurrency {
        /// Checks the number.
        public Fixed {
            if (calls < 1)
                throw new IllegalArgumentException("maxConcurrent must be at least 1, and is " + calls);
        }

        @Override
        public int on(int cores) {
            return calls;
        }
    }

    /// A larger limit on a larger machine.
    ///
    /// @param calls for each processor; a half is one call for two
    record PerCore(double calls) implements Concurrency {
        /// Checks the number.
        public PerCore {
            if (!(calls > 0 && calls <= MOST))
                throw new IllegalArgumentException("perCore must be above 0 and at most " + MOST + ", and is " + calls);
        }

        @Override
        public int on(int cores) {
            return (int) Math.max(1, Math.round(calls * cores));
        }
    }

    /// The most calls for each processor.
    int MOST = 10_000;

    /// Reads a number or `{perCore: …}`.
    static Concurrency of(ResourceJson json) {
        if (!json.node().isObject())
            return new Fixed(json.positive(1));
        double perCore = json.get("perCore").number(0);
        if (!(perCore > 0 && perCore <= MOST))
            throw json.get("perCore").wrong("a number above 0 and at most " + MOST);
        return new PerCore(perCore);
    }
}
