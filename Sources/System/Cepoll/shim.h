#pragma once
/* Swift's module of the C library has neither. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
