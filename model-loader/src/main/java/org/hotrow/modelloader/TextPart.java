package org.hotrow.modelloader;

/**
 * A stretch of a prompt with its origin. Only trusted text, what the chat template itself wrote, can become added
 * tokens; what users, tools and documents wrote stays text, whatever it looks like.
 */
public record TextPart(String text, boolean trusted) {}
