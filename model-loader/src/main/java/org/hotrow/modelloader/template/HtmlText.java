package org.hotrow.modelloader.template;

/** Text as HTML, which is what the filters {@code escape} and {@code safe} give. */
final class HtmlText {
    private HtmlText() {}

    /** {@code text} with the five special characters replaced, unless it is HTML already. */
    static TemplateText escape(Rendering run, TemplateText text) {
        if (text.isEscaped()) {
            return text;
        }
        TextBuilder html = new TextBuilder(run);
        int copied = 0;
        for (int at = 0; at < text.length(); at++) {
            String entity = entity(text.chars().charAt(at));
            if (!entity.isEmpty()) {
                html.append(text, copied, at).append(entity);
                copied = at + 1;
            }
        }
        return html.append(text, copied, text.length()).build().asEscaped();
    }

    private static String entity(char c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&#34;";
            case '\'' -> "&#39;";
            default -> "";
        };
    }
}
