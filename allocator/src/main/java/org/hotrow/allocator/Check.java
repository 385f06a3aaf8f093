package org.hotrow.allocator;

/** Failure of an invariant: the allocator's state is broken and must not be used on. */
final class Check {
    private Check() {}

    /**
     * Throws an {@link IllegalStateException} unless {@code holds}.
     *
     * @param broken what is broken, with a {@code {}} for each of the values
     */
    static void that(boolean holds, String broken, Object... values) {
        if (!holds) {
            StringBuilder message = new StringBuilder("allocator invariant: ").append(broken);
            for (Object value : values) {
                int at = message.indexOf("{}");
                message.replace(at, at + 2, String.valueOf(value));
            }
            throw new IllegalStateException(message.toString());
        }
    }
}
