/** {@code hotrow chat}: a conversation at the keyboard or through a pipe. */
package org.hotrow.engine.chat;
