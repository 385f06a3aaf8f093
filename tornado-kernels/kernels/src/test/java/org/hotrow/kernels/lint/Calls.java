package org.hotrow.kernels.lint;

import java.lang.classfile.Instruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.Set;
import java.util.regex.Pattern;

/** What kernels may call, and what of it only CUDA has. Methods go by class, name and descriptor. */
final class Calls {
    private static final String API = "uk/ac/manchester/tornado/api/";
    private static final String CONTEXT = API + "KernelContext";

    /** Besides Hotrow's own static methods. */
    private static final Pattern COMPILED =
            Pattern.compile("java/lang/Math\\.(min|max|clamp|sqrt|exp|log|pow|sin|cos)\\(.*"
                    + "|java/lang/Float\\.isNaN\\(.*"
                    + "|java/lang/Math\\.abs\\([FD]\\).*"
                    + "|java/lang/Integer\\.(intValue|bitCount|rotateLeft)\\(.*"
                    + "|" + API + "math/TornadoMath\\..*"
                    + "|" + API
                    + "types/arrays/\\w+\\.(get|set|getSize|getHalfFloat|setHalfFloat|getE4M3|getHalf2|setHalf2)\\(.*"
                    + "|" + API + "types/(FP8|HalfFloat|BFloat16|vectors/Half2)\\..*"
                    + "|" + CONTEXT + "\\..*");

    private static final Pattern CUDA =
            Pattern.compile(CONTEXT + "\\.(simd|mma|asyncCopy|swizzle|allocateHalf)\\w*\\(.*"
                    + "|" + CONTEXT + "\\.atomicAdd\\(L\\w+(/\\w+)*/(Float|Double)Array;.*"
                    + "|" + API + "types/arrays/(FP8|Int8|HalfFloat|BFloat16)Array\\..*"
                    + "|" + API + "types/arrays/\\w+\\.[gs]etHalfFloat\\(.*"
                    + "|" + API + "types/(FP8|HalfFloat|BFloat16|vectors/Half2)\\..*");

    private static final Set<String> LOCAL_ATOMICS = Set.of("([III)V", "([JIJ)V", "([FIF)V", "([DID)V");

    private static final Pattern BITS = Pattern.compile("java/lang/Float\\.(floatToRawIntBits|intBitsToFloat)\\(.*");
    private static final Pattern LOAD = Pattern.compile(API + "types/arrays/\\w+\\.get\\(.*");
    private static final Pattern STORE = Pattern.compile(API + "types/arrays/\\w+\\.set\\(.*");

    /** Functions of CUDA's C that a kernel's name would clash with. */
    private static final Set<String> BUILTINS = Set.of(
            "abs",
            "acos",
            "acosh",
            "asin",
            "asinh",
            "assert",
            "atan",
            "atan2",
            "atanh",
            "cbrt",
            "ceil",
            "clock",
            "copysign",
            "cos",
            "cosh",
            "cospi",
            "erf",
            "erfc",
            "erfinv",
            "exp",
            "exp10",
            "exp2",
            "expm1",
            "fabs",
            "fdim",
            "fdivide",
            "floor",
            "fma",
            "fmax",
            "fmin",
            "fmod",
            "free",
            "frexp",
            "hypot",
            "ilogb",
            "isfinite",
            "isinf",
            "isnan",
            "j0",
            "j1",
            "jn",
            "labs",
            "ldexp",
            "lgamma",
            "llabs",
            "llrint",
            "llround",
            "log",
            "log10",
            "log1p",
            "log2",
            "logb",
            "lrint",
            "lround",
            "malloc",
            "max",
            "memcpy",
            "memset",
            "min",
            "modf",
            "nan",
            "nearbyint",
            "nextafter",
            "norm",
            "normcdf",
            "pow",
            "powi",
            "printf",
            "rcbrt",
            "remainder",
            "remquo",
            "rhypot",
            "rint",
            "rnorm",
            "round",
            "rsqrt",
            "saturate",
            "scalbln",
            "scalbn",
            "signbit",
            "sin",
            "sincos",
            "sincospi",
            "sinh",
            "sinpi",
            "sqrt",
            "tan",
            "tanh",
            "tgamma",
            "trunc",
            "umax",
            "umin",
            "y0",
            "y1",
            "yn");

    private Calls() {}

    /** Class, method and descriptor. */
    static String name(InvokeInstruction call) {
        return call.owner().asInternalName() + "." + call.name().stringValue()
                + call.type().stringValue();
    }

    static boolean isCompiled(InvokeInstruction call) {
        return COMPILED.matcher(name(call)).matches();
    }

    /** Whether a call gives the bits of what has just been loaded, or is stored at once: then a load or a store does it. */
    static boolean isBitsInMemory(Instruction before, InvokeInstruction call, Instruction after) {
        return BITS.matcher(name(call)).matches() && (matches(LOAD, before) || matches(STORE, after));
    }

    private static boolean matches(Pattern names, Instruction instruction) {
        return instruction instanceof InvokeInstruction call
                && names.matcher(name(call)).matches();
    }

    static boolean isCudaOnly(InvokeInstruction call) {
        return CUDA.matcher(name(call)).matches();
    }

    static boolean isLocalAtomic(InvokeInstruction call) {
        return call.owner().asInternalName().equals(CONTEXT)
                && call.name().equalsString("atomicAdd")
                && LOCAL_ATOMICS.contains(call.type().stringValue());
    }

    static boolean isLocalAllocation(InvokeInstruction call) {
        return call.owner().asInternalName().equals(CONTEXT)
                && call.name().stringValue().startsWith("allocate");
    }

    static boolean isBuiltin(String method) {
        return BUILTINS.contains(method)
                || (method.endsWith("f") && BUILTINS.contains(method.substring(0, method.length() - 1)));
    }
}
