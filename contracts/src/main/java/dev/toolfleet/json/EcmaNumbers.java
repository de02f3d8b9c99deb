package dev.toolfleet.json;

import java.math.BigDecimal;

/// Doubles as ECMAScript prints them (ECMA-262, Number::toString), which RFC
/// 8785 prescribes. Java's shortest digits are
/// the same; only where the point and the exponent stand differs.
final class EcmaNumbers {
    private EcmaNumbers() {}

    static String text(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("not JSON: the number " + value);
        }
        if (value == 0)
            return "0";
        BigDecimal shortest = new BigDecimal(Double.toString(Math.abs(value))).stripTrailingZeros();
        String digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        return (value < 0 ? "-" : "") + place(digits, point);
    }

    /// `point` is where the decimal point stands, counted from before the
    /// first digit.
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
