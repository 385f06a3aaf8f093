/** Kernels and number formats, each beside its plain reference. */
@org.jspecify.annotations.NullMarked
module org.hotrow.kernels {
    requires static transitive org.jspecify;
    requires static transitive tornado.api;

    exports org.hotrow.kernels;
    exports org.hotrow.kernels.tornado;
}
