/** Kernels and number formats, each beside its plain reference. */
@org.jspecify.annotations.NullMarked
module org.hotrow.kernels {
    requires static transitive org.jspecify;

    exports org.hotrow.kernels;
}
