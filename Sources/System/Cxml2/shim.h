#pragma once
/* ICU's headers would define what Foundation's own copy of ICU defines; nothing used here depends on them. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

/* The handler's error callbacks are variadic, which Swift can neither write nor import: errors are read from the
   context instead, and nothing is printed. */
static inline void cachecheck_ignore_xml_message(void *context, const char *message, ...) {
    (void)context;
    (void)message;
}
static inline void cachecheck_silence(xmlSAXHandler *handler) {
    handler->error = cachecheck_ignore_xml_message;
    handler->warning = cachecheck_ignore_xml_message;
    handler->fatalError = cachecheck_ignore_xml_message;
    handler->serror = NULL;
}
