package org.hotrow.engine.chat;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * A setting by name: what it takes, what it is, and how it changes.
 *
 * @param word its name on the outside
 * @param choices words that it takes; empty if it takes a number
 * @param help what it is for
 * @param value what it is in some settings
 * @param change the settings with another value
 */
record Setting(
        String word,
        List<String> choices,
        String help,
        Function<Settings, String> value,
        BiFunction<Settings, String, Settings> change) {
    /** Reasoning. */
    static final Setting THINK = new Setting(
            "think",
            List.of("on", "off"),
            "ask the model to reason, and show it",
            s -> onOff(s.think()),
            (s, text) -> s.withThink(flag("think", text)));

    /** Temperature. */
    static final Setting TEMPERATURE = new Setting(
            "temperature",
            List.of(),
            "0 takes the likeliest token",
            s -> Double.toString(s.sampling().temperature()),
            (s, text) -> s.with(s.sampling().withTemperature(number("temperature", text))));

    /** Nucleus. */
    static final Setting TOP_P = new Setting(
            "top_p",
            List.of(),
            "draw from the fewest tokens that reach this probability",
            s -> Double.toString(s.sampling().topP()),
            (s, text) -> s.with(s.sampling().withTopP(number("top_p", text))));

    /** The k likeliest. */
    static final Setting TOP_K = new Setting(
            "top_k",
            List.of(),
            "draw from so many of the likeliest tokens; 0 for all",
            s -> Integer.toString(s.sampling().topK()),
            (s, text) -> s.with(s.sampling().withTopK(whole("top_k", text, 0))));

    /** Least probability. */
    static final Setting MIN_P = new Setting(
            "min_p",
            List.of(),
            "draw from tokens at least so many times as likely as the likeliest",
            s -> Double.toString(s.sampling().minP()),
            (s, text) -> s.with(s.sampling().withMinP(number("min_p", text))));

    /** Seed. */
    static final Setting SEED = new Setting(
            "seed",
            List.of("off"),
            "same seed, same text; off: another one for each answer",
            s -> s.seed().isPresent() ? Long.toString(s.seed().getAsLong()) : "off",
            (s, text) -> s.withSeed(text.equals("off") ? OptionalLong.empty() : OptionalLong.of(seed(text))));

    /** Length of an answer. */
    static final Setting MAX_TOKENS = new Setting(
            "max_tokens",
            List.of(),
            "most tokens of an answer",
            s -> Integer.toString(s.maxTokens()),
            (s, text) -> s.withMaxTokens(whole("max_tokens", text, 1)));

    /** Policy of the cache. */
    static final Setting KV_POLICY = new Setting(
            "kv-policy",
            Arrays.stream(KvPolicy.values()).map(Setting::word).toList(),
            "when device blocks run out; never changes the text",
            s -> word(s.cache().policy()),
            (s, text) -> s.with(s.cache().with(policy(text))));

    /** Hot rows. */
    static final Setting DEVICE_BUFFER_SIZE = new Setting(
            "device-buffer-size",
            List.of("default"),
            "hot rows of a conversation that has lost pages; never changes the text",
            s -> s.cache().hotRows().isPresent()
                    ? Integer.toString(s.cache().hotRows().getAsInt())
                    : "default",
            (s, text) -> s.with(s.cache()
                    .withHotRows(
                            text.equals("default")
                                    ? OptionalInt.empty()
                                    : OptionalInt.of(whole("device-buffer-size", text, 1)))));

    /** Guesses. */
    static final Setting SPECULATIVE_TOKENS = new Setting(
            "speculative-tokens",
            List.of(),
            "tokens that the MTP layer guesses ahead, 0 for none; never changes the text",
            s -> Integer.toString(s.cache().drafts()),
            (s, text) -> s.with(s.cache().withDrafts(whole("speculative-tokens", text, 0))));

    /** Status line. */
    static final Setting WATCH = new Setting(
            "watch",
            List.of("on", "off"),
            "keep the cache in the status line",
            s -> onOff(s.watch()),
            (s, text) -> s.withWatch(flag("watch", text)));

    /** All of them, in the order of the help. */
    static final List<Setting> ALL = List.of(
            THINK,
            TEMPERATURE,
            TOP_P,
            TOP_K,
            MIN_P,
            SEED,
            MAX_TOKENS,
            KV_POLICY,
            DEVICE_BUFFER_SIZE,
            SPECULATIVE_TOKENS,
            WATCH);

    Setting {
        choices = List.copyOf(choices);
    }

    /** Its value as text. */
    String of(Settings settings) {
        return value.apply(settings);
    }

    /**
     * The settings with another value.
     *
     * @throws RequestException if the value can't be
     */
    Settings set(Settings settings, String text) {
        try {
            return change.apply(settings, text);
        } catch (IllegalArgumentException e) {
            throw new RequestException(String.valueOf(e.getMessage()));
        }
    }

    /** The setting of a name; hyphens and underscores are the same. */
    static Optional<Setting> named(String name) {
        String plain = name.replace('_', '-');
        return ALL.stream()
                .filter(setting -> setting.word.replace('_', '-').equals(plain))
                .findFirst();
    }

    /** All names. */
    static List<String> words() {
        return ALL.stream().map(Setting::word).toList();
    }

    /** What went wrong, as somebody is told who sets things by {@code /set} and not by flags. */
    static String inChat(@Nullable String message) {
        return String.valueOf(message)
                .replace("--device-buffer-size", "/set device-buffer-size")
                .replace("--kv-policy", "/set kv-policy")
                .replace("--speculative-tokens", "/set speculative-tokens")
                .replace("--max-new-tokens", "/set max_tokens");
    }

    private static String onOff(boolean on) {
        return on ? "on" : "off";
    }

    static String word(KvPolicy policy) {
        return policy.name().toLowerCase(Locale.ROOT);
    }

    private static boolean flag(String name, String text) {
        return switch (text) {
            case "on", "true", "yes" -> true;
            case "off", "false", "no" -> false;
            default -> throw refusal(name, text, "on or off");
        };
    }

    private static double number(String name, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw refusal(name, text, "a number");
        }
    }

    private static int whole(String name, String text, int least) {
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException ignored) {
            // Said below.
        }
        throw refusal(name, text, "a whole number, " + least + " or more");
    }

    private static long seed(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw refusal("seed", text, "a whole number, or off");
        }
    }

    private static KvPolicy policy(String text) {
        return Arrays.stream(KvPolicy.values())
                .filter(policy -> word(policy).equals(text))
                .findFirst()
                .orElseThrow(() -> refusal("kv-policy", text, String.join(", ", KV_POLICY.choices)));
    }

    private static RequestException refusal(String name, String text, String expected) {
        return new RequestException(name + " " + text + ": expected " + expected);
    }
}
