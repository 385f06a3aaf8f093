package org.hotrow.engine.chat;

import java.util.Locale;
import java.util.Optional;
import org.hotrow.engine.CacheCounters;
import org.hotrow.engine.Completion;
import org.hotrow.engine.KvSnapshot;
import org.hotrow.engine.SpeculationCounters;

/**
 * What the last answer took.
 *
 * @param kv what the cache did for it
 * @param speculation what guesses were worth in it
 * @param pages where the conversation's pages were at its last token
 */
record LastAnswer(
        Completion completion, CacheCounters kv, SpeculationCounters speculation, Optional<KvSnapshot> pages) {
    /** The line after an answer. */
    String line(int context) {
        String line = completion.summary(context);
        if (speculation.rounds() > 0) {
            line += String.format(Locale.ROOT, " · %.2f tok a round", speculation.meanAcceptedLength());
        }
        return kv.hotLookups() == 0
                ? line
                : line + " · hot " + Units.percent(kv.hotHits(), kv.hotLookups()) + " · host "
                        + Units.bytes(kv.hostBytesRead());
    }
}
