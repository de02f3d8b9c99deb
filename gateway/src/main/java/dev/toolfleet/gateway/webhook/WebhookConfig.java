package dev.toolfleet.gateway.webhook;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.wire.Callback;
import dev.toolfleet.worker.egress.AddressRange;
import dev.toolfleet.worker.egress.AddressRules;
import dev.toolfleet.worker.egress.HostPattern;
import dev.toolfleet.worker.egress.PortRules;

/// Settings of webhooks: the secrets by their names, and the hosts that may have private addresses and no TLS.
public final class WebhookConfig {
    /// No secrets, and so no callbacks.
    public static final WebhookConfig NONE = new WebhookConfig(Map.of(), List.of());
    private static final String SECRETS = "gateway.webhooks.secrets";
    private static final String ALLOW = "gateway.webhooks.allow";
    private static final String NAME = "[a-z0-9.-]{1,64}";
    /// Every address: the operator named the host.
    private static final AddressRules ANY = new AddressRules(
            List.of(AddressRange.parse("0.0.0.0/0"), AddressRange.parse("::/0")), List.of());

    private final Map<String, WebhookSecret> secrets;
    private final List<HostPattern> allowed;

    private WebhookConfig(Map<String, WebhookSecret> secrets, List<HostPattern> allowed) {
        this.secrets = Map.copyOf(secrets);
        this.allowed = List.copyOf(allowed);
    }

    /// Reads the settings below `gateway.webhooks`.
    ///
    /// @param secrets `secrets`: names to values
    /// @param allow `allow`: hosts, as of [HostPattern#FORM]
    /// @throws IllegalArgumentException naming the key and, unless it is secret, its value
    public static WebhookConfig of(Map<String, String> secrets, List<String> allow) {
        Map<String, WebhookSecret> read = new LinkedHashMap<>();
        secrets.forEach((name, value) -> {
            if (!name.matches(NAME))
                throw new IllegalArgumentException(SECRETS + "." + name + " is no name of a secret: lower-case letters,"
                        + " digits, '.' and '-', 1 to 64 characters");
            try {
                read.put(name, WebhookSecret.parse(value));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(SECRETS + "." + name + " is not allowed: " + e.getMessage());
            }
        });
        List<HostPattern> hosts = new ArrayList<>();
        for (String entry : allow) {
            try {
                hosts.add(HostPattern.parse(entry));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(ALLOW + " '" + entry + "' is not allowed: " + HostPattern.FORM + " ("
                        + e.getMessage() + ")");
            }
        }
        return new WebhookConfig(read, hosts);
    }

    /// Returns the reason why results cannot go to a callback, as a sentence; empty if they can. Names are not looked up
    /// here: their addresses are those of the moment in which a result is sent.
    public Optional<String> refusal(Callback callback) {
        WebhookUrl url;
        try {
            url = WebhookUrl.parse(callback.url());
        } catch (IllegalArgumentException e) {
            return Optional.of("The URL " + e.getMessage() + ".");
        }
        if (!secrets.containsKey(callback.secret()))
            return Optional.of("There is no secret of that name. " + SECRETS + " of every gateway has the names.");
        return refusal(url);
    }

    /// The same for the URL alone.
    Optional<String> refusal(WebhookUrl url) {
        if (isAllowed(url))
            return Optional.empty();
        if (!url.secure())
            return Optional.of("The URL must begin with https://, unless " + ALLOW + " names its host.");
        return url.host().literal().flatMap(address -> AddressRules.PUBLIC_ONLY.refusal(address, List.of()))
                .map(kind -> "The host '" + url.host().text() + "' may not be reached: the address is " + kind
                        + ". An operator can name it in " + ALLOW + ".");
    }

    /// The addresses that a receiver may have.
    AddressRules addresses(WebhookUrl url) {
        return isAllowed(url) ? ANY : AddressRules.PUBLIC_ONLY;
    }

    Optional<WebhookSecret> secret(String name) {
        return Optional.ofNullable(secrets.get(name));
    }

    /// The names of the secrets.
    public Set<String> secretNames() {
        return secrets.keySet();
    }

    private boolean isAllowed(WebhookUrl url) {
        return allowed.stream().anyMatch(each -> each.matches(url.host().text(), url.port(), PortRules.ANY));
    }
}
