package org.hotrow.modelloader.template;

/**
 * A piece of a template.
 *
 * @param text the template's own text for {@code DATA}, the unescaped characters of a {@code STRING}, digits without
 *     underscores of a number, else the characters themselves
 * @param line the line it begins on, from 1
 */
record Token(Kind kind, String text, int line) {
    enum Kind {
        DATA("template text"),
        PRINT_BEGIN("'{{'"),
        PRINT_END("'}}'"),
        TAG_BEGIN("'{%'"),
        TAG_END("'%}'"),
        NAME("a name"),
        STRING("a string"),
        INTEGER("an integer"),
        FLOAT("a number"),
        OPERATOR("an operator"),
        END("the end of the template");

        private final String description;

        Kind(String description) {
            this.description = description;
        }

        @Override
        public String toString() {
            return description;
        }
    }

    boolean isOperator(String operator) {
        return kind == Kind.OPERATOR && text.equals(operator);
    }

    boolean isName(String name) {
        return kind == Kind.NAME && text.equals(name);
    }

    /** The token in the words of an error message. */
    String describe() {
        return kind == Kind.NAME || kind == Kind.OPERATOR ? "'" + text + "'" : kind.toString();
    }
}
