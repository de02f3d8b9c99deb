package dev.toolfleet.catalog.builtin;

/// A pattern for tools' names: `*` stands for any characters, `?` for one. Takes time proportional to pattern times
/// text, whatever they are.
record Wildcard(String pattern) {
    boolean matches(String text) {
        int at = 0;
        int read = 0;
        int star = -1;
        int retry = 0;
        while (read < text.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                retry = read;
            } else if (at < pattern.length()
                    && (pattern.charAt(at) == '?' || pattern.charAt(at) == text.charAt(read))) {
                at++;
                read++;
            } else if (star >= 0) {
                at = star + 1;
                read = ++retry;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*')
            at++;
        return at == pattern.length();
    }
}
