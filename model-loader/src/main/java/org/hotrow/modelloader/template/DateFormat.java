package org.hotrow.modelloader.template;

import java.time.Clock;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Dates as {@code strftime} writes them, with English names. */
final class DateFormat {
    private static final int STEPS_PER_FIELD = 5;
    private static final String UNPADDABLE = "deHIjmMSy";

    private DateFormat() {}

    /** The local time of {@code clock} in the words of {@code format}; the text is untrusted. */
    static TemplateText format(Rendering run, String format, Clock clock) {
        LocalDateTime now = LocalDateTime.now(clock);
        TextBuilder out = new TextBuilder(run);
        int at = 0;
        for (int percent = format.indexOf('%'); percent >= 0; percent = format.indexOf('%', at)) {
            out.append(format.substring(at, percent));
            boolean unpadded = format.startsWith("-", percent + 1);
            int letter = percent + (unpadded ? 2 : 1);
            if (letter >= format.length()) {
                throw run.runtime("a date format that ends in a lone %");
            }
            if (unpadded && UNPADDABLE.indexOf(format.charAt(letter)) < 0) {
                throw run.runtime("date format %-" + format.charAt(letter) + " is not supported");
            }
            run.charge(STEPS_PER_FIELD);
            String field = field(run, now, format.charAt(letter));
            out.append(unpadded ? withoutPadding(field) : field);
            at = letter + 1;
        }
        return out.append(format.substring(at)).build();
    }

    private static String field(Rendering run, LocalDateTime now, char letter) {
        return switch (letter) {
            case 'a' -> now.format(pattern("EEE"));
            case 'A' -> now.format(pattern("EEEE"));
            case 'b', 'h' -> now.format(pattern("MMM"));
            case 'B' -> now.format(pattern("MMMM"));
            case 'd' -> now.format(pattern("dd"));
            case 'e' -> String.format("%2d", now.getDayOfMonth());
            case 'H' -> now.format(pattern("HH"));
            case 'I' -> now.format(pattern("hh"));
            case 'j' -> now.format(pattern("DDD"));
            case 'm' -> now.format(pattern("MM"));
            case 'M' -> now.format(pattern("mm"));
            case 'p' -> now.getHour() < 12 ? "AM" : "PM";
            case 'S' -> now.format(pattern("ss"));
            case 'y' -> now.format(pattern("uu"));
            case 'Y' -> String.valueOf(now.getYear());
            case 'F' -> now.format(pattern("uuuu-MM-dd"));
            case 'T' -> now.format(pattern("HH:mm:ss"));
            case 'R' -> now.format(pattern("HH:mm"));
            case 'D' -> now.format(pattern("MM/dd/uu"));
            case '%' -> "%";
            default -> throw run.runtime("date format %" + letter + " is not supported");
        };
    }

    private static String withoutPadding(String field) {
        int digits = 0;
        while (digits < field.length() - 1 && (field.charAt(digits) == '0' || field.charAt(digits) == ' ')) {
            digits++;
        }
        return field.substring(digits);
    }

    private static DateTimeFormatter pattern(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    }
}
