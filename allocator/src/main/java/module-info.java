/** Block pool, KV geometry and block tables. Knows no GPU types. */
@org.jspecify.annotations.NullMarked
module org.hotrow.allocator {
    requires static transitive org.jspecify;

    exports org.hotrow.allocator;
}
