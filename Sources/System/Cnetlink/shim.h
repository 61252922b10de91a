#pragma once
/* The kernel's route messages, which Swift's module of the C library does not have. */
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
