package org.hotrow.engine.chat;

import java.util.Locale;

/** Numbers for people. */
final class Units {
    private static final String[] NAMES = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final double STEP = 1024;

    private Units() {}

    /** {@code 1.2 GiB}. */
    static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= STEP && unit < NAMES.length - 1) {
            value /= STEP;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, NAMES[unit]);
    }

    /** {@code 1,234,567}. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 1 page}, {@code 2 pages}. */
    static String counted(long number, String thing) {
        return count(number) + " " + thing + (number == 1 ? "" : "s");
    }

    /** {@code 97.3 %}; {@code -} of nothing. */
    static String percent(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
    }
}
