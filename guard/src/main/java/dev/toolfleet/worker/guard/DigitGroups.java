package dev.toolfleet.worker.guard;

import java.util.Arrays;

/// Groups of digits in a text that follow each other, with their separators. Not thread-safe.
final class DigitGroups {
    private static final int MAX_SEPARATOR = 3;
    private static final int MAX_TAG = 200;

    private final String text;
    private final boolean tagsSeparate;
    private int[] starts = new int[8];
    private int[] ends = new int[8];
    private int[] offsets = new int[9];
    private char[] separators = new char[8];
    private final StringBuilder digits = new StringBuilder();
    private int count;

    /// @param tagsSeparate whether markup between digits is ignored
    DigitGroups(String text, boolean tagsSeparate) {
        this.text = text;
        this.tagsSeparate = tagsSeparate;
    }

    /// Returns the value of a digit; -1 for any other character.
    static int digit(char c) {
        if (c < 0x80)
            return c >= '0' && c <= '9' ? c - '0' : -1;
        return Character.digit(c, 10);
    }

    /// Reads the row of groups that begins here, and returns its end.
    int read(int from) {
        count = 0;
        digits.setLength(0);
        int at = from;
        while (true) {
            at = group(at);
            int next = separator(at);
            if (next < 0)
                return at;
            at = next;
        }
    }

    private int group(int from) {
        if (count == starts.length) {
            int more = count * 2;
            starts = Arrays.copyOf(starts, more);
            ends = Arrays.copyOf(ends, more);
            offsets = Arrays.copyOf(offsets, more + 1);
            separators = Arrays.copyOf(separators, more);
        }
        starts[count] = from;
        int end = from;
        int at = from;
        while (at < text.length()) {
            int digit = digit(text.charAt(at));
            if (digit >= 0) {
                digits.append((char) ('0' + digit));
                end = ++at;
            } else if (isNothing(text.charAt(at))) {
                at++;
            } else {
                break;
            }
        }
        ends[count] = end;
        separators[count] = 0;
        count++;
        offsets[count] = digits.length();
        return end;
    }

    /// Returns the start of the next group, if only a separator lies between; -1 otherwise.
    private int separator(int from) {
        char kind = 0;
        int signs = 0;
        int at = from;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (digit(c) >= 0) {
                separators[count - 1] = kind == 0 ? '<' : kind;
                return at;
            }
            char is = kind(c);
            if (is != 0) {
                if (++signs > MAX_SEPARATOR)
                    return -1;
                kind = kind == 0 || kind == ' ' ? is : kind;
                at++;
            } else if (isNothing(c)) {
                at++;
            } else if (c == '<' && tagsSeparate && tagEnd(at) > 0) {
                at = tagEnd(at);
            } else {
                return -1;
            }
        }
        return -1;
    }

    private int tagEnd(int from) {
        for (int i = from + 1; i < text.length() && i < from + MAX_TAG; i++) {
            if (text.charAt(i) == '>')
                return i + 1;
            if (text.charAt(i) == '<')
                return -1;
        }
        return -1;
    }

    private static char kind(char c) {
        return switch (c) {
            case ' ', '\u00a0', '\u2007', '\u2009', '\u202f', '\u3000' -> ' ';
            case '-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\uff0d' -> '-';
            case '.', '\u00b7', '\u30fb' -> '.';
            default -> 0;
        };
    }

    private static boolean isNothing(char c) {
        return c >= 0xad
                && (c == 0xad || c == 0x34f || ControlCharacters.isInvisible(c) || (c >= 0xfe00 && c <= 0xfe0f));
    }

    int count() {
        return count;
    }

    int start(int group) {
        return starts[group];
    }

    int end(int group) {
        return ends[group];
    }

    int length(int group) {
        return offsets[group + 1] - offsets[group];
    }

    /// Returns the separator between this group and the one before: a blank, `-`, `.`, `<` for markup alone; 0 before
    /// the first.
    char before(int group) {
        return group == 0 ? 0 : separators[group - 1];
    }

    /// Returns the separator between this group and the next; 0 after the last.
    char after(int group) {
        return group == count - 1 ? 0 : separators[group];
    }

    CharSequence digits(int from, int to) {
        return digits.subSequence(offsets[from], offsets[to + 1]);
    }

    /// Returns the last group of a run whose groups all have the separator of this one and the next.
    int runEnd(int from) {
        int end = from;
        while (end < count - 1 && separators[end] == separators[from])
            end++;
        return end;
    }

    /// True if groups from this one on have these lengths, with the same separator between them.
    boolean hasShape(int from, int[] shape) {
        if (from + shape.length > count)
            return false;
        for (int i = 0; i < shape.length; i++) {
            if (length(from + i) != shape[i] || (i > 0 && separators[from + i - 1] != separators[from]))
                return false;
        }
        return true;
    }
}
