package dev.toolfleet.bench.load;

import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/// Which instances the calls of a run go to, by numbers from 0. It is part of a figure's name: order by instance costs
/// nothing where every call has an instance of its own.
public sealed interface KeyMix {
    /// Number of instances.
    int keys();

    /// The share of the calls that go to the busiest one, number 0.
    double hottest();

    /// The share of the calls that go to this one.
    double share(int key);

    /// One number after the other.
    IntSupplier draw(RandomGenerator random);

    /// All alike.
    record Uniform(int keys) implements KeyMix {
        /// Checks the count.
        public Uniform {
            checkKeys(keys);
        }

        @Override
        public double hottest() {
            return 1.0 / keys;
        }

        @Override
        public double share(int key) {
            return 1.0 / keys;
        }

        @Override
        public IntSupplier draw(RandomGenerator random) {
            return () -> random.nextInt(keys);
        }

        @Override
        public String toString() {
            return "uniform:" + keys;
        }
    }

    /// Few are busy; see [Zipf].
    record Skewed(int keys, double exponent) implements KeyMix {
        /// Checks the values.
        public Skewed {
            checkKeys(keys);
            if (!(exponent > 0 && exponent <= 3))
                throw new IllegalArgumentException("the exponent " + exponent + " of zipf must be above 0, at most 3");
        }

        @Override
        public double hottest() {
            return share(0);
        }

        @Override
        public double share(int key) {
            double sum = 0;
            for (int rank = 1; rank <= keys; rank++)
                sum += Math.pow(rank, -exponent);
            return Math.pow(key + 1.0, -exponent) / sum;
        }

        @Override
        public IntSupplier draw(RandomGenerator random) {
            Zipf zipf = new Zipf(keys, exponent);
            return () -> zipf.draw(random);
        }

        @Override
        public String toString() {
            return "zipf:" + keys + (exponent == 1 ? "" : String.format(Locale.ROOT, ":%s", exponent));
        }
    }

    /// One instance alone.
    record Hot() implements KeyMix {
        @Override
        public int keys() {
            return 1;
        }

        @Override
        public double hottest() {
            return 1;
        }

        @Override
        public double share(int key) {
            return 1;
        }

        @Override
        public IntSupplier draw(RandomGenerator random) {
            return () -> 0;
        }

        @Override
        public String toString() {
            return "hot";
        }
    }

    /// Parses the text that [Object#toString] of a mix writes: `uniform:1000`, `zipf:1000` (exponent 1),
    /// `zipf:1000:0.9`, `hot`.
    ///
    /// @throws IllegalArgumentException naming the text
    static KeyMix parse(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts[0].equals("uniform") && parts.length == 2)
                return new Uniform(Integer.parseInt(parts[1]));
            if (parts[0].equals("zipf") && (parts.length == 2 || parts.length == 3))
                return new Skewed(Integer.parseInt(parts[1]), parts.length == 2 ? 1 : Double.parseDouble(parts[2]));
            if (text.equals("hot"))
                return new Hot();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("keys '" + text + "': " + e.getMessage() + " is not a number", e);
        }
        throw new IllegalArgumentException("keys '" + text
                + "' is none of uniform:COUNT, zipf:COUNT, zipf:COUNT:EXPONENT and hot");
    }

    private static void checkKeys(int keys) {
        if (keys < 1 || keys > 1_000_000)
            throw new IllegalArgumentException("there are " + keys + " keys; there must be 1 to 1000000");
    }
}
