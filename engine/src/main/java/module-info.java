/** The model walk, its devices and the command line. */
@org.jspecify.annotations.NullMarked
// HdrHistogram has no module descriptor, so its module is an automatic one.
@SuppressWarnings("requires-automatic")
module org.hotrow.engine {
    requires static jdk.incubator.vector;
    requires static transitive org.jspecify;
    requires transitive org.hotrow.allocator;
    requires transitive org.hotrow.kernels;
    requires transitive org.hotrow.modelloader;
    requires HdrHistogram;
    requires info.picocli;
    requires java.management;
    requires org.eclipse.collections.impl;
    requires jdk.management;
    requires org.jline;
    requires tools.jackson.core;

    exports org.hotrow.engine;
    exports org.hotrow.engine.lanes;

    opens org.hotrow.engine to
            info.picocli;
    opens org.hotrow.engine.chat to
            info.picocli;
}
