package org.hotrow.engine.chat;

import java.io.IOException;
import org.jline.terminal.Terminal;
import org.jline.utils.InfoCmp;
import org.jspecify.annotations.Nullable;

/**
 * What JLine takes a terminal for: {@code TERM} if it or terminfo knows it, xterm if it is said to be like one, else
 * dumb, which every terminal can be.
 */
final class TerminalType {
    private TerminalType() {}

    /** @param term {@code TERM}, if it is set */
    static String of(@Nullable String term) {
        if (term == null) {
            return Terminal.TYPE_DUMB;
        }
        @Nullable String common = InfoCmp.getDefaultInfoCmp(term);
        if (common != null) {
            // Else it would start a process that asks terminfo.
            InfoCmp.setLoadedInfoCmp(term, common);
            return term;
        }
        try {
            InfoCmp.getInfoCmp(term);
            return term;
        } catch (IOException e) {
            // Many that terminfo of older machines has not heard of are called so because they are like xterm.
            return term.startsWith("xterm-") ? of("xterm-256color") : Terminal.TYPE_DUMB;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Terminal.TYPE_DUMB;
        }
    }
}
