package uk.ac.manchester.tornado.api.common;

/** What a task runs: a kernel of up to 20 parameters. */
public final class TornadoFunctions {
    private TornadoFunctions() {}

    /** A kernel without parameters. */
    @FunctionalInterface
    public interface Task {
        /** Runs the kernel. */
        void apply();
    }

    /** A kernel of 1 parameter. */
    @FunctionalInterface
    public interface Task1<T1> {
        /** Runs the kernel. */
        void apply(T1 a1);
    }

    /** A kernel of 2 parameters. */
    @FunctionalInterface
    public interface Task2<T1, T2> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2);
    }

    /** A kernel of 3 parameters. */
    @FunctionalInterface
    public interface Task3<T1, T2, T3> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3);
    }

    /** A kernel of 4 parameters. */
    @FunctionalInterface
    public interface Task4<T1, T2, T3, T4> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4);
    }

    /** A kernel of 5 parameters. */
    @FunctionalInterface
    public interface Task5<T1, T2, T3, T4, T5> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5);
    }

    /** A kernel of 6 parameters. */
    @FunctionalInterface
    public interface Task6<T1, T2, T3, T4, T5, T6> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6);
    }

    /** A kernel of 7 parameters. */
    @FunctionalInterface
    public interface Task7<T1, T2, T3, T4, T5, T6, T7> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7);
    }

    /** A kernel of 8 parameters. */
    @FunctionalInterface
    public interface Task8<T1, T2, T3, T4, T5, T6, T7, T8> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8);
    }

    /** A kernel of 9 parameters. */
    @FunctionalInterface
    public interface Task9<T1, T2, T3, T4, T5, T6, T7, T8, T9> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9);
    }

    /** A kernel of 10 parameters. */
    @FunctionalInterface
    public interface Task10<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10);
    }

    /** A kernel of 11 parameters. */
    @FunctionalInterface
    public interface Task11<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11);
    }

    /** A kernel of 12 parameters. */
    @FunctionalInterface
    public interface Task12<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12);
    }

    /** A kernel of 13 parameters. */
    @FunctionalInterface
    public interface Task13<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> {
        /** Runs the kernel. */
        void apply(T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12, T13 a13);
    }

    /** A kernel of 14 parameters. */
    @FunctionalInterface
    public interface Task14<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> {
        /** Runs the kernel. */
        void apply(
                T1 a1,
                T2 a2,
                T3 a3,
                T4 a4,
                T5 a5,
                T6 a6,
                T7 a7,
                T8 a8,
                T9 a9,
                T10 a10,
                T11 a11,
                T12 a12,
                T13 a13,
                T14 a14);
    }

    /** A kernel of 15 parameters. */
    @FunctionalInterface
    public interface Task15<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15> {
        /** Runs the kernel. */
        void apply(
                T1 a1,
                T2 a2,
                T3 a3,
                T4 a4,
                T5 a5,
                T6 a6,
                T7 a7,
                T8 a8,
                T9 a9,
                T10 a10,
                T11 a11,
                T12 a12,
                T13 a13,
                T14 a14,
                T15 a15);
    }

    /** A kernel of 16 parameters. */
    @FunctionalInterface
    public interface Task16<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16> {
        /** Runs the kernel. */
        void apply(
                T1 a1,
                T2 a2,
                T3 a3,
                T4 a4,
                T5 a5,
                T6 a6,
                T7 a7,
                T8 a8,
                T9 a9,
                T10 a10,
                T11 a11,
                T12 a12,
                T13 a13,
                T14 a14,
                T15 a15,
                T16 a16);
    }

    /** A kernel of 17 parameters. */
    @FunctionalInterface
    public interface Task17<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17> {
        /** Runs the kernel. */
        void apply(
                T1 a1,
                T2 a2,
                T3 a3,
                T4 a4,
                T5 a5,
                T6 a6,
                T7 a7,
                T8 a8,
                T9 a9,
                T10 a10,
                T11 a11,
                T12 a12,
                T13 a13,
                T14 a14,
                T15 a15,
                T16 a16,
                T17 a17);
    }

    /** A kernel of 18 parameters. */
    @FunctionalInterface
    public interface Task18<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18> {
        /** Runs the kernel. */
        void apply(
                T1 a1,
                T2 a2,
                T3 a3,
                T4 a4,
                T5 a5,
                T6 a6,
                T7 a7,
                T8 a8,
                T9 a9,
                T10 a10,
                T11 a11,
                T12 a12,
                T13 a13,
                T14 a14,
                T15 a15,
                T16 a16,
                T17 a17,
                T18 a18);
    }

    /** A kernel of 19 parameters. */
    @FunctionalInterface
    public interface Task19<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19> {
        /** Runs the kernel. */
        void apply(
                T1 a1,
                T2 a2,
                T3 a3,
                T4 a4,
                T5 a5,
                T6 a6,
                T7 a7,
                T8 a8,
                T9 a9,
                T10 a10,
                T11 a11,
                T12 a12,
                T13 a13,
                T14 a14,
                T15 a15,
                T16 a16,
                T17 a17,
                T18 a18,
                T19 a19);
    }

    /** A kernel of 20 parameters. */
    @FunctionalInterface
    public interface Task20<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19, T20> {
        /** Runs the kernel. */
        void apply(
                T1 a1,
                T2 a2,
                T3 a3,
                T4 a4,
                T5 a5,
                T6 a6,
                T7 a7,
                T8 a8,
                T9 a9,
                T10 a10,
                T11 a11,
                T12 a12,
                T13 a13,
                T14 a14,
                T15 a15,
                T16 a16,
                T17 a17,
                T18 a18,
                T19 a19,
                T20 a20);
    }
}
