package dev.toolfleet.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/// Doubles as ECMAScript prints them (ECMA-262, Number::toString), which RFC 8785 prescribes. Java's shortest digits
/// are the same except for a few of the smallest doubles; the positions of point and exponent differ.
final class EcmaNumbers {
    private EcmaNumbers() {}

    static String text(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("not JSON: the number " + value);
        }
        if (value == 0)
            return "0";
        BigDecimal shortest = shortest(Math.abs(value));
        String digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        return (value < 0 ? "-" : "") + place(digits, point);
    }

    /// Returns the shortest digits. Java prints at least two. So near zero, where one digit already names the double,
    /// it prints 4.9E-324 for ECMAScript's 5e-324.
    private static BigDecimal shortest(double value) {
        BigDecimal printed = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (printed.precision() != 2)
            return printed;
        BigDecimal oneDigit = printed.round(new MathContext(1, RoundingMode.HALF_EVEN));
        return oneDigit.doubleValue() == value ? oneDigit.stripTrailingZeros() : printed;
    }

    /// Places the decimal point.
    ///
    /// @param point its position, counted from before the first digit
    private static String place(String digits, int point) {
        int count = digits.length();
        if (count <= point && point <= 21)
            return digits + "0".repeat(point - count);
        if (0 < point && point <= 21)
            return digits.substring(0, point) + "." + digits.substring(point);
        if (-6 < point && point <= 0)
            return "0." + "0".repeat(-point) + digits;
        String exponent = (point - 1 < 0 ? "-" : "+") + Math.abs(point - 1);
        return count == 1 ? digits + "e" + exponent : digits.charAt(0) + "." + digits.substring(1) + "e" + exponent;
    }
}
