package dev.toolfleet.publishing.git;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Place of bundles in a git repository, as `https://git.example/fleet.git#main:bundles` or `file:///srv/fleet.git`.
///
/// @param url the repository, by `https`, `http` or `file`
/// @param branch the one that counts
/// @param folder of the bundles in it, without slashes at its ends; empty for the whole repository
public record GitAddress(String url, String branch, String folder) {
    /// The forms, for messages.
    public static final String FORM = "an address such as https://git.example/fleet.git#main:bundles or"
            + " file:///srv/fleet.git";
    private static final String DEFAULT_BRANCH = "main";
    private static final Pattern URL = Pattern.compile("(?:https?|file|ssh|git)://.+|[^/@ ]+@[^/ ]+:.+");
    private static final Pattern BRANCH = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]*");
    private static final Pattern FOLDER = Pattern.compile("(?!.*(?:^|/)\\.{1,2}(?:/|$))(?!.*//)[^\\\\:]*");

    /// True if the text is meant as a repository, and not as a folder of this machine.
    public static boolean isOne(String text) {
        return URL.matcher(text).matches();
    }

    /// Reads an address.
    ///
    /// @throws IllegalArgumentException when it is none, or has a user or a password in it
    public static GitAddress parse(String text) {
        Matcher parts = Pattern.compile("([^#]*)(?:#([^:]*)(?::(.*))?)?").matcher(text);
        if (!isOne(text) || !parts.matches())
            throw new IllegalArgumentException("'" + text + "' is not " + FORM);
        String url = parts.group(1);
        if (!url.matches("(https?|file)://.*"))
            throw new IllegalArgumentException("'" + url + "' is a repository by ssh or git; use https or file");
        try {
            String authority = new URI(url).getRawAuthority();
            if (authority != null && authority.contains("@"))
                throw new IllegalArgumentException("the address of a repository has a user or a password in it, and"
                        + " addresses are logged; leave it out, and set worker.git.username and worker.git.password");
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + url + "' is not " + FORM, e);
        }
        String branch = parts.group(2) == null || parts.group(2).isEmpty() ? DEFAULT_BRANCH : parts.group(2);
        String folder = parts.group(3) == null ? "" : parts.group(3).replaceAll("^/+|/+$", "");
        if (!BRANCH.matcher(branch).matches() || branch.contains("..") || branch.endsWith("/"))
            throw new IllegalArgumentException("'" + branch + "' is no name of a branch; write URL#BRANCH:FOLDER");
        if (!FOLDER.matcher(folder).matches())
            throw new IllegalArgumentException(
                    "'" + folder + "' is no folder of a repository; write URL#BRANCH:FOLDER");
        return new GitAddress(url, branch, folder);
    }

    /// Returns the address, for people.
    @Override
    public String toString() {
        return url + "#" + branch + (folder.isEmpty() ? "" : ":" + folder);
    }
}
