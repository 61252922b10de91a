#pragma once
#include <stdlib.h>
#include <gnutls/gnutls.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>
#include <gnutls/pkcs12.h>

/* gnutls_free is a variable that holds a function, which Swift takes for shared mutable state. */
static inline void cachecheck_gnutls_free(void *memory) { gnutls_free(memory); }
