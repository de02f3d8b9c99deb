package dev.toolfleet.worker.guard;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// Meaning of a field's name for its value. Pure.
///
/// @param account the value is a bank account
/// @param card the value is a card's number
/// @param ssn the value is a social security number
/// @param secret the value is a secret
/// @param other the value only looks like one of these: an order, a phone, a time, an amount
record FieldName(boolean account, boolean card, boolean ssn, boolean secret, boolean other) {
    /// For a value without a name.
    static final FieldName NONE = new FieldName(false, false, false, false, false);

    private static final Set<String> ACCOUNT = Set.of("account", "accounts", "acct", "accountno", "accountnumber",
            "acctno", "bankaccount", "iban");
    private static final Set<String> CARD = Set.of("card", "cards", "creditcard", "debitcard", "cardnumber", "cardno",
            "pan", "cc", "ccnumber", "ccnum");
    private static final Set<String> SSN = Set.of("ssn", "socialsecurity", "socialsecuritynumber");
    private static final Set<String> OTHER = Set.of("order", "orders", "invoice", "tracking", "sku", "part", "parts",
            "serial", "model", "phone", "tel", "telephone", "mobile", "fax", "item", "product", "lot", "batch", "at",
            "time", "timestamp", "date", "created", "updated", "modified", "expires", "expiry", "balance", "amount",
            "total", "count", "volume", "value", "price", "ms", "millis", "epoch", "age", "size", "limit", "since",
            "until", "version", "build", "offset");
    private static final Set<String> SECRET = Set.of("password", "passwd", "passphrase", "pwd", "secret",
            "clientsecret", "secretkey", "apikey", "apisecret", "accesskey", "secretaccesskey", "accesstoken",
            "refreshtoken", "idtoken", "authtoken", "sessiontoken", "bearertoken", "privatekey", "authorization",
            "proxyauthorization", "xapikey", "dbpassword", "userpassword");
    private static final int LONGEST = 100;
    private static final Pattern HUMP = Pattern.compile("([a-z0-9])([A-Z])");
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{Nd}]+");
    /// Names that were read before. Tools use the same few names in every result. Models and web pages may invent
    /// others, so the map is bounded.
    private static final Map<String, FieldName> KNOWN = new ConcurrentHashMap<>();
    private static final int MOST_KNOWN = 10_000;

    static FieldName of(String name) {
        if (name.length() > LONGEST)
            return NONE;
        FieldName known = KNOWN.get(name);
        if (known != null)
            return known;
        FieldName read = read(name);
        // It may be full of names that never come again.
        if (KNOWN.size() >= MOST_KNOWN)
            KNOWN.clear();
        KNOWN.put(name, read);
        return read;
    }

    private static FieldName read(String name) {
        String spaced = HUMP.matcher(name).replaceAll("$1 $2").toLowerCase(Locale.ROOT);
        Set<String> words = new HashSet<>(Arrays.asList(BETWEEN_WORDS.split(spaced)));
        boolean other = words.stream().anyMatch(OTHER::contains) || name.contains("주문") || name.contains("전화");
        boolean social = words.contains("social") && words.contains("security");
        return new FieldName(!other && (words.stream().anyMatch(ACCOUNT::contains) || name.contains("계좌")),
                !other && (words.stream().anyMatch(CARD::contains) || name.contains("카드")),
                social || words.stream().anyMatch(SSN::contains),
                SECRET.contains(BETWEEN_WORDS.matcher(spaced).replaceAll("")), other);
    }

    /// Returns the meaning inside an object that is the value of another field: `{"card": {"number": …}}`.
    FieldName in(FieldName outer) {
        return new FieldName(account || (outer.account && !other), card || (outer.card && !other),
                ssn || (outer.ssn && !other), secret, other);
    }

    /// True if a number may be one that must not be published.
    boolean isFinancial() {
        return account || card || ssn;
    }
}
