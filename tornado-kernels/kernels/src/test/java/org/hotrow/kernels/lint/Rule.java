package org.hotrow.kernels.lint;

/** What kernels and their helpers must not do, and what to do instead. */
enum Rule {
    UNSIGNED_SHIFT("compiled as >>, and a mask behind it gets lost: write (x >> n) & mask"),
    LOCAL_ATOMIC("adds to element 0 whatever the index: add to a device array"),
    LOCAL_ARRAY_IN_HELPER("a helper reads local memory at wrong places: allocate and touch it in the kernel alone"),
    LOOP_EXIT_VALUE("the loop has several exits and this variable is that of the last one after all of them:"
            + " run on with a flag, or put the condition into the loop's head"),
    RETURN_IN_LOOP("an inlined return from a loop gives another return's value: leave the loop first"),
    LOOPS_IN_BRANCHES(
            "loops in both branches give this variable, and one's value is lost: write one if after the other"),
    CHOICE_IN_LOOP_HEAD("may get two exits, and what follows the loop is lost behind one: choose before the loop"),
    MIXED_CONDITION("&& followed by || loses a negation: nest ifs, or compute flags"),
    MASKED_DIFFERENCE("a masked byte less something is unsigned: subtract 256 from what is above 127 instead"),
    CUDA_ONLY("only CUDA has it: mark the method @CudaOnly, or put it into if (cuda == 1)"),
    UNSUPPORTED_CALL("not among what TornadoVM is known to compile"),
    NOT_A_NUMBER("OpenCL refuses NaN constants: compute it, as x - x of an infinity"),
    STATIC_FIELD("only constants reach a kernel: pass an array"),
    EXCEPTION("exceptions are dropped: check the value before"),
    BUILTIN_NAME("CUDA has a function of that name: rename the method"),
    NO_VARIABLE_NAMES("compile with -g: TornadoVM reads the table of local variables");

    private final String advice;

    Rule(String advice) {
        this.advice = advice;
    }

    String advice() {
        return advice;
    }
}
