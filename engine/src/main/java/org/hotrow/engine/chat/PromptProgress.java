package org.hotrow.engine.chat;

/**
 * What is said while the model reads a prompt, on a line of a terminal that goes when the answer comes. Ctrl-C is heard
 * on another thread; once it is, the line says so and nothing else.
 */
final class PromptProgress {
    private final Screen screen;
    private boolean stopping;
    private boolean over;

    PromptProgress(Screen screen) {
        this.screen = screen;
    }

    /** So many tokens of the prompt have rows; the next step begins. */
    synchronized void step(int done, int tokens) {
        if (!stopping && !over) {
            screen.progress("prompt: " + Units.count(done) + " of " + Units.count(tokens) + " tokens");
        }
    }

    /** Somebody wants the work to stop, which it does between two steps. */
    synchronized void stopping() {
        if (!over) {
            stopping = true;
            screen.progress("stopping after this step");
        }
    }

    /** The first token is there, or none will come. */
    synchronized void end() {
        if (!over) {
            over = true;
            screen.progress("");
        }
    }
}
