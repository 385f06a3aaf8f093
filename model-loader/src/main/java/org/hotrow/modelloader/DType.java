package org.hotrow.modelloader;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Element types of the safetensors format. */
public enum DType {
    BOOL(8),
    F4(4),
    F6_E2M3(6),
    F6_E3M2(6),
    U8(8),
    I8(8),
    F8_E5M2(8),
    F8_E4M3(8),
    F8_E8M0(8),
    F8_E4M3FNUZ(8),
    F8_E5M2FNUZ(8),
    I16(16),
    U16(16),
    F16(16),
    BF16(16),
    I32(32),
    U32(32),
    F32(32),
    C64(64),
    I64(64),
    U64(64),
    F64(64);

    private static final Map<String, DType> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(DType::name, Function.identity()));

    private final int bits;

    DType(int bits) {
        this.bits = bits;
    }

    /** The type that a header calls {@code name}; case counts. */
    static Optional<DType> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** Bits of one element. */
    public int bits() {
        return bits;
    }
}
