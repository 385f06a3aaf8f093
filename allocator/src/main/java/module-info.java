/** Block pool, KV geometry and block tables. Knows no GPU types. */
@org.jspecify.annotations.NullMarked
// JCuda has no module descriptor, so its module is an automatic one, and one that only pinned memory needs at run time.
@SuppressWarnings("requires-automatic")
module org.hotrow.allocator {
    requires static transitive org.jspecify;
    requires transitive org.eclipse.collections.api;
    requires org.eclipse.collections.impl;
    requires java.management;
    requires jdk.management;
    requires static jcuda;

    exports org.hotrow.allocator;
}
