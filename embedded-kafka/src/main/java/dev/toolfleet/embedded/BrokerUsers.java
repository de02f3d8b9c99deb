package dev.toolfleet.embedded;

import java.util.Map;
import java.util.stream.Collectors;

/// Users of a broker. Clients log in by SASL/PLAIN over the loopback. Each may do what ACLs allow its principal,
/// `User:NAME`; at first this is nothing.
///
/// @param superUser one of the users, not limited by ACLs; the broker itself logs in as this one
/// @param passwords by the users' names
public record BrokerUsers(String superUser, Map<String, String> passwords) {

    /// The login module of a client, as Kafka names it.
    private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required";

    /// Keeps its own copy. Throws `IllegalArgumentException` for users that look equal to the broker.
    public BrokerUsers {
        passwords = Map.copyOf(passwords);
        if (!passwords.containsKey(superUser)) {
            throw new IllegalArgumentException(
                    "the super user is " + superUser + ", which has no password; the users are "
                            + passwords.keySet().stream().sorted().toList());
        }
        passwords.forEach((name, password) -> {
            if (!name.matches("[a-zA-Z0-9._-]+") || !password.matches("[a-zA-Z0-9._-]+")) {
                throw new IllegalArgumentException("the user " + name
                        + " or its password has other characters than letters, digits, '.', '_' and '-'");
            }
        });
    }

    /// Client properties with which a user logs in.
    ///
    /// @throws IllegalArgumentException when there is no such user
    public Map<String, String> clientProperties(String name) {
        if (!passwords.containsKey(name)) {
            throw new IllegalArgumentException("there is no user " + name);
        }
        return Map.of("security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", "PLAIN", "sasl.jaas.config",
                login(name) + ";");
    }

    /// Returns the broker's own login and the passwords of all users.
    String brokerLogin() {
        return passwords.entrySet().stream()
                .map(user -> " user_" + user.getKey() + "=\"" + user.getValue() + "\"")
                .collect(Collectors.joining("", login(superUser), ";"));
    }

    private String login(String name) {
        return LOGIN + " username=\"" + name + "\" password=\"" + passwords.get(name) + "\"";
    }

    /// Leaves out the passwords.
    @Override
    public String toString() {
        return "BrokerUsers[superUser=" + superUser + ", users=" + passwords.keySet().stream().sorted().toList() + "]";
    }
}
