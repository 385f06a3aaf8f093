package uk.ac.manchester.tornado.api;

import java.util.List;

/** A task of a graph: its kernel and the arguments as the host knows them. */
record TaskDefinition(String id, Object kernel, List<Object> arguments) {
    /** Whether the task runs on a grid of work-items. */
    boolean hasWorkItems() {
        return arguments.stream().anyMatch(KernelContext.class::isInstance);
    }
}
