package dev.toolfleet.worker.egress;

import java.net.InetAddress;
import java.util.HexFormat;

/// A range of addresses such as `10.0.0.0/8` or `fd00::/8`, or a single one.
///
/// @param prefix one of its addresses, as many bytes as its family has, in hexadecimal
/// @param bits how many of its bits count
public record AddressRange(String prefix, int bits) {
    private static final HexFormat HEX = HexFormat.of();

    /// Reads a range.
    ///
    /// @throws IllegalArgumentException when it is none, or has bits set behind its prefix
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
        int width = address.getAddress().length * Byte.SIZE;
        int bits = slash < 0 ? width : Integer.parseInt(text.substring(slash + 1));
        if (bits < 0 || bits > width)
            throw new IllegalArgumentException("a prefix of " + bits + " bits");
        AddressRange range = new AddressRange(HEX.formatHex(address.getAddress()), bits);
        for (int bit = bits; bit < width; bit++)
            if (bit(address.getAddress(), bit))
                throw new IllegalArgumentException("bits behind the prefix of " + bits + " are set");
        return range;
    }

    /// Returns the range of `bits` leading bits in which an address lies.
    public static AddressRange around(InetAddress address, int bits) {
        return new AddressRange(HEX.formatHex(address.getAddress()), bits);
    }

    /// True if the address, of the same family, lies in this range.
    public boolean contains(InetAddress address) {
        byte[] other = address.getAddress();
        byte[] mine = HEX.parseHex(prefix);
        if (other.length != mine.length)
            return false;
        for (int bit = 0; bit < bits; bit++)
            if (bit(other, bit) != bit(mine, bit))
                return false;
        return true;
    }

    /// True if every address of the other range lies in this one.
    public boolean covers(AddressRange other) {
        byte[] theirs = HEX.parseHex(other.prefix);
        byte[] mine = HEX.parseHex(prefix);
        if (theirs.length != mine.length || other.bits < bits)
            return false;
        for (int bit = 0; bit < bits; bit++)
            if (bit(theirs, bit) != bit(mine, bit))
                return false;
        return true;
    }

    private static boolean bit(byte[] address, int bit) {
        return (address[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1) == 1;
    }
}
