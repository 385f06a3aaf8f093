package org.hotrow.modelloader;

/**
 * A run of characters of a prompt.
 *
 * @param trusted whether the chat template itself wrote them, so that special tokens may be read in them; what came from
 *     a user, a tool or a document is not
 */
public record TextPart(String text, boolean trusted) {}
