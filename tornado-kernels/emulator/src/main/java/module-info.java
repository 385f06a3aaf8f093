/** The part of TornadoVM's API that Hotrow uses, run on the JVM. */
@org.jspecify.annotations.NullMarked
module tornado.api {
    requires static transitive org.jspecify;

    exports org.hotrow.emulator;
    exports uk.ac.manchester.tornado.api;
    exports uk.ac.manchester.tornado.api.annotations;
    exports uk.ac.manchester.tornado.api.common;
    exports uk.ac.manchester.tornado.api.enums;
    exports uk.ac.manchester.tornado.api.exceptions;
    exports uk.ac.manchester.tornado.api.math;
    exports uk.ac.manchester.tornado.api.types;
    exports uk.ac.manchester.tornado.api.types.arrays;
    exports uk.ac.manchester.tornado.api.types.vectors;
}
