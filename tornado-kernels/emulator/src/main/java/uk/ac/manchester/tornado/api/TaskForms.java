package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task1;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task10;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task11;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task12;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task13;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task14;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task15;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task16;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task17;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task18;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task19;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task2;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task20;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task3;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task4;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task5;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task6;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task7;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task8;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task9;

/**
 * The 21 forms of {@code task}, which differ in the number of the kernel's arguments only. The first argument is
 * usually a {@link KernelContext}; the others are arrays, and numbers that never change.
 */
abstract sealed class TaskForms permits TaskGraph {
    /** Appends a task and returns the graph. */
    abstract TaskGraph append(String id, Object kernel, Object... arguments);

    public TaskGraph task(String id, Task kernel) {
        return append(id, kernel);
    }

    public <T1> TaskGraph task(String id, Task1<T1> kernel, T1 a1) {
        return append(id, kernel, a1);
    }

    public <T1, T2> TaskGraph task(String id, Task2<T1, T2> kernel, T1 a1, T2 a2) {
        return append(id, kernel, a1, a2);
    }

    public <T1, T2, T3> TaskGraph task(String id, Task3<T1, T2, T3> kernel, T1 a1, T2 a2, T3 a3) {
        return append(id, kernel, a1, a2, a3);
    }

    public <T1, T2, T3, T4> TaskGraph task(String id, Task4<T1, T2, T3, T4> kernel, T1 a1, T2 a2, T3 a3, T4 a4) {
        return append(id, kernel, a1, a2, a3, a4);
    }

    public <T1, T2, T3, T4, T5> TaskGraph task(
            String id, Task5<T1, T2, T3, T4, T5> kernel, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5) {
        return append(id, kernel, a1, a2, a3, a4, a5);
    }

    public <T1, T2, T3, T4, T5, T6> TaskGraph task(
            String id, Task6<T1, T2, T3, T4, T5, T6> kernel, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6);
    }

    public <T1, T2, T3, T4, T5, T6, T7> TaskGraph task(
            String id, Task7<T1, T2, T3, T4, T5, T6, T7> kernel, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8> TaskGraph task(
            String id,
            Task8<T1, T2, T3, T4, T5, T6, T7, T8> kernel,
            T1 a1,
            T2 a2,
            T3 a3,
            T4 a4,
            T5 a5,
            T6 a6,
            T7 a7,
            T8 a8) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9> TaskGraph task(
            String id,
            Task9<T1, T2, T3, T4, T5, T6, T7, T8, T9> kernel,
            T1 a1,
            T2 a2,
            T3 a3,
            T4 a4,
            T5 a5,
            T6 a6,
            T7 a7,
            T8 a8,
            T9 a9) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> TaskGraph task(
            String id,
            Task10<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> kernel,
            T1 a1,
            T2 a2,
            T3 a3,
            T4 a4,
            T5 a5,
            T6 a6,
            T7 a7,
            T8 a8,
            T9 a9,
            T10 a10) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> TaskGraph task(
            String id,
            Task11<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> kernel,
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
            T11 a11) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> TaskGraph task(
            String id,
            Task12<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> kernel,
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
            T12 a12) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> TaskGraph task(
            String id,
            Task13<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> kernel,
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
            T13 a13) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> TaskGraph task(
            String id,
            Task14<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> kernel,
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
            T14 a14) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15> TaskGraph task(
            String id,
            Task15<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15> kernel,
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
            T15 a15) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16> TaskGraph task(
            String id,
            Task16<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16> kernel,
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
            T16 a16) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17> TaskGraph task(
            String id,
            Task17<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17> kernel,
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
            T17 a17) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18> TaskGraph task(
            String id,
            Task18<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18> kernel,
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
            T18 a18) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19> TaskGraph task(
            String id,
            Task19<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19> kernel,
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
            T19 a19) {
        return append(id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19, T20> TaskGraph task(
            String id,
            Task20<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19, T20> kernel,
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
            T20 a20) {
        return append(
                id, kernel, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20);
    }
}
