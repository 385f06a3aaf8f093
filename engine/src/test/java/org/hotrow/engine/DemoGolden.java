package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One golden of the demo model: lists of numbers in its JSON. */
record DemoGolden(String name, String json) {
    static final Path MODEL = Path.of("demo-model");
    static final List<String> NAMES = List.of("0_story_raw", "1_chat_story", "2_chat_fact", "3_prose", "4_needle_1200");

    static DemoGolden read(String name) throws IOException {
        return new DemoGolden(name, Files.readString(MODEL.resolve("golden/golden_" + name + ".json")));
    }

    int[] ints(String field) {
        Matcher list = Pattern.compile("\"" + field + "\":\\s*\\[([^\\]]*)\\]").matcher(json);
        assertThat(list.find()).as(field).isTrue();
        return List.of(list.group(1).split(",")).stream()
                .mapToInt(number -> Integer.parseInt(number.strip()))
                .toArray();
    }

    double number(String field) {
        Matcher number = Pattern.compile("\"" + field + "\":\\s*([-+.0-9eE]+)").matcher(json);
        assertThat(number.find()).as(field).isTrue();
        return Double.parseDouble(number.group(1));
    }
}
