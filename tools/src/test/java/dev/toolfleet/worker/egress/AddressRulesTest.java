package dev.toolfleet.worker.egress;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AddressRulesTest {
    @ParameterizedTest
    @CsvSource({"127.0.0.1,loopback", "127.255.255.254,loopback", "::1,loopback", "::ffff:127.0.0.1,loopback",
            "0.0.0.0,unspecified", "0.1.2.3,unspecified", "::,unspecified", "10.1.2.3,private", "172.16.0.1,private",
            "172.31.255.255,private", "192.168.1.1,private", "fc00::1,private", "fd12:3456::1,private",
            "fec0::1,private", "::ffff:10.0.0.1,private", "169.254.169.254,a cloud's metadata",
            "fd00:ec2::254,a cloud's metadata", "100.100.100.200,a cloud's metadata",
            "168.63.129.16,a cloud's metadata", "::ffff:169.254.169.254,a cloud's metadata", "169.254.1.1,link-local",
            "fe80::1,link-local", "100.64.0.1,shared with the provider", "100.127.255.255,shared with the provider",
            "192.0.2.1,documentation", "198.51.100.1,documentation", "203.0.113.9,documentation",
            "2001:db8::1,documentation", "3fff::1,documentation", "198.18.0.1,benchmarking",
            "192.0.0.8,reserved for protocols", "2001::1,reserved for protocols", "2001:2::1,reserved for protocols",
            "2002:7f00:1::,6to4", "192.88.99.1,6to4", "224.0.0.1,multicast", "239.255.255.255,multicast",
            "ff02::1,multicast", "255.255.255.255,broadcast", "240.0.0.1,reserved",
            "::127.0.0.1,an IPv4 address inside IPv6", "::ffff:0:7f00:1,an IPv4 address inside IPv6",
            "64:ff9b::127.0.0.1,an IPv4 address inside IPv6", "64:ff9b:1::1,an IPv4 address inside IPv6",
            "100::1,not a public IPv6 address", "5f00::1,not a public IPv6 address"})
    void whatIsNotOnThePublicInternetIsRefused(String address, String kind) {
        assertThat(AddressRules.PUBLIC_ONLY.refusal(InetAddress.ofLiteral(address), List.of())).contains(kind);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0",
            "100.63.255.255", "100.128.0.0", "169.253.255.255", "192.167.255.255", "198.20.0.0", "223.255.255.255",
            "2600::1", "2a00:1450:4001::1", "2001:4860:4860::8888", "::ffff:8.8.8.8"})
    void thePublicInternetIsReached(String address) {
        assertThat(AddressRules.PUBLIC_ONLY.refusal(InetAddress.ofLiteral(address), List.of())).isEmpty();
    }

    @Test
    void theOperatorMayOpenARangeAndCloseAnother() {
        AddressRules rules = new AddressRules(
                List.of(AddressRange.parse("10.1.0.0/16"), AddressRange.parse("fd00::/8")),
                List.of(AddressRange.parse("10.1.2.0/24"), AddressRange.parse("8.8.8.8")));

        assertThat(rules.refusal(InetAddress.ofLiteral("10.1.1.1"), List.of())).isEmpty();
        assertThat(rules.refusal(InetAddress.ofLiteral("fd12::1"), List.of())).isEmpty();
        assertThat(rules.refusal(InetAddress.ofLiteral("10.2.1.1"), List.of())).contains("private");
        assertThat(rules.refusal(InetAddress.ofLiteral("10.1.2.3"), List.of()))
                .contains("one that the operator denies");
        assertThat(rules.refusal(InetAddress.ofLiteral("8.8.8.8"), List.of())).contains("one that the operator denies");
        assertThat(rules.refusal(InetAddress.ofLiteral("8.8.4.4"), List.of())).isEmpty();
    }

    @Test
    void theNeighboursOfTheWorkerAreNoPublicHosts() {
        Inet6Address worker = (Inet6Address) InetAddress.ofLiteral("2600:1f18:1:2:3::4");
        InetAddress neighbour = InetAddress.ofLiteral("2600:1f18:1:2:ffff::1");
        InetAddress elsewhere = InetAddress.ofLiteral("2600:1f18:1:3::1");
        AddressRules open = new AddressRules(List.of(AddressRange.parse("2600:1f18:1:2::/64")), List.of());
        for (int prefix : List.of(64, 128, 0, -1)) {
            List<AddressRange> own = List.of(OwnNetworks.range(worker, prefix));

            assertThat(AddressRules.PUBLIC_ONLY.refusal(neighbour, own)).contains("of this machine's own network");
            assertThat(AddressRules.PUBLIC_ONLY.refusal(elsewhere, own)).isEmpty();
            assertThat(open.refusal(neighbour, own)).isEmpty();
        }
        assertThat(AddressRules.PUBLIC_ONLY.refusal(elsewhere, List.of(OwnNetworks.range(worker, 56)))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "10.0.0.0/-1", "10.0.0.1/8", "example.com", "10.0.0.0/x", "::1/129", ""})
    void aRangeThatIsNoneIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> AddressRange.parse(text));
    }
}
