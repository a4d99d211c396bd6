/* SPDX-License-Identifier: MIT */
/* For the tests: the test sets the time, a core is a thread, and a masked section must not be entered twice. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint64_t test_time(void);
void test_enter(void);
void test_exit(void);
unsigned test_core(void);
uint32_t test_interrupt(void);
void test_tick(void);
bool test_take(const uint8_t *bytes, size_t len);
void test_full(void);

#ifdef __cplusplus
}
#endif

#ifndef tband_portTIMESTAMP
#define tband_portTIMESTAMP() test_time()
#endif
#ifdef TEST_HZ
#define tband_portCLOCK_HZ TEST_HZ
#ifdef TEST_DIVISOR
#define tband_portCLOCK_DIVISOR TEST_DIVISOR
#endif
#elif defined(TEST_NS)
#define tband_portTIMESTAMP_RESOLUTION_NS TEST_NS
#else
#define tband_portTIMESTAMP_RESOLUTION_NS 40
#endif
#define tband_portENTER_CRITICAL_FROM_ANY() test_enter()
#define tband_portEXIT_CRITICAL_FROM_ANY() test_exit()
#define tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK() test_full()
#ifdef TEST_CORES
#define tband_portNUMBER_OF_CORES TEST_CORES
#define tband_portGET_CORE_ID() test_core()
#endif
#ifdef TEST_INTERRUPTS
#define tband_portINTERRUPT_NUMBER() test_interrupt()
#define tband_portTICK() test_tick()
#define tband_portTICK_INTERRUPT 1000u
#endif
#ifdef TEST_HAND_OVER
#define tband_portBACKEND_STREAM_DATA(bytes, len) test_take((bytes), (len))
#endif

#endif
