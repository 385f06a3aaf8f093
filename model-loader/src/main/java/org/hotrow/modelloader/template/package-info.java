/**
 * The template language of chat templates (a subset of Jinja): text in, marked text out, and nothing else within
 * reach. A template sees strings, numbers, booleans, none, lists and mappings; no Java object, no file, no reflection.
 */
@NullMarked
package org.hotrow.modelloader.template;

import org.jspecify.annotations.NullMarked;
