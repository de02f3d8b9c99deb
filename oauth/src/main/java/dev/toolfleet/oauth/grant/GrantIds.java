package dev.toolfleet.oauth.grant;

import dev.toolfleet.bundle.OAuthAppSpec.SubjectMode;
import dev.toolfleet.json.Digests;

/// Ids of grants.
public final class GrantIds {
    private static final int HEX = 16;
    private static final int PREFIX = "sha256:".length();

    private GrantIds() {}

    /// Returns the subject of all calls of an app of [SubjectMode#GLOBAL].
    public static String global(String bundle) {
        return "oauth:" + bundle;
    }

    /// Returns the id of a subject's grant to an app.
    public static String of(String bundle, String app, String subject) {
        return "grant-" + Digests.sha256("OAuthApp/" + bundle + "/" + app + ":" + subject).substring(PREFIX,
                PREFIX + HEX);
    }

    /// Returns the digest of a subject that records show in its place.
    static String subjectHash(String subject) {
        return Digests.sha256(subject);
    }
}
