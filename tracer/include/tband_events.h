/* SPDX-License-Identifier: MIT */
/*
 * One function per event of spec/tonbandgeraet.def: tband_event_NAME(fields). For kernel ports; applications use the
 * functions of tband.h. Each function reads the time itself. The functions of core_id, dropped_evt_cnt and clock_hz are
 * for the recorder only. Context, cost and errors: tband.h.
 */
#ifndef TBAND_EVENTS_H
#define TBAND_EVENTS_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include <stdint.h>

/* Groups of events, which the target can enable and disable at run time. */
#define TBAND_GROUP_SYSTEM 0x100u /* core ids and losses: always recorded */
#define TBAND_GROUP_INTERRUPTS 0x200u
#define TBAND_GROUP_MARKERS 0x400u
#define TBAND_GROUP_VALUES 0x800u
#define TBAND_GROUP_TASKS 0x1000u
#define TBAND_GROUP_QUEUES 0x2000u
#define TBAND_GROUP_MEMORY 0x4000u /* heaps and stacks */
#define TBAND_GROUP_KERNEL 0x8000u /* notifications, event groups, software timers */
#define TBAND_GROUPS_ALL 0xFF00u

#ifdef __cplusplus
extern "C" {
#endif

/* Record an event with these fields; the letters are those of the table. head: the event's id and the bit of its
 * group. */
void tband_record_TI(uint32_t head, uint32_t id);
void tband_record_TIA(uint32_t head, uint32_t id, uint32_t arg);
void tband_record_TIS(uint32_t head, uint32_t id, const char *text);
void tband_record_TIV(uint32_t head, uint32_t id, int64_t value);
void tband_record_R(uint32_t head, uint64_t value);
void tband_record_RD(uint32_t head, uint64_t value, uint32_t divisor);
void tband_record_I(uint32_t head, uint32_t id);
void tband_record_IA(uint32_t head, uint32_t id, uint32_t arg);
void tband_record_IB(uint32_t head, uint32_t id, uint8_t arg);
void tband_record_IS(uint32_t head, uint32_t id, const char *text);
void tband_record_IAS(uint32_t head, uint32_t id, uint32_t arg, const char *text);
void tband_record_IAN(uint32_t head, uint32_t id, uint32_t arg);
#define tband_record_TA tband_record_TI
#define tband_record_TIQ tband_record_TIA
#define tband_record_A tband_record_I
void tband_record_TIR(uint32_t head, uint32_t id, uint64_t value); /* like TIV, with a signed value */
/* Compiled only if an extension (an event id from 80 on) is enabled; tband_record_TIAQ() also for tband_fault.h. */
void tband_record_T(uint32_t head);
void tband_record_TIAQ(uint32_t head, uint32_t id, uint32_t arg, uint32_t value);
void tband_record_TIAQP(uint32_t head, uint32_t id, uint32_t arg, uint32_t value, uint32_t address);
/* The arguments are one list, because an event without fields adds nothing to its head. */
#define tband_record(letters, ...) tband_record_##letters(__VA_ARGS__)

#define TBAND_FIELDS_TI uint32_t id
#define TBAND_FIELDS_TA uint32_t id
#define TBAND_FIELDS_TIA uint32_t id, uint32_t arg
#define TBAND_FIELDS_TIS uint32_t id, const char *text
#define TBAND_FIELDS_TIV uint32_t id, int64_t value
#define TBAND_FIELDS_T void
#define TBAND_FIELDS_TIQ uint32_t id, uint32_t value
#define TBAND_FIELDS_TIR uint32_t id, uint64_t value
#define TBAND_FIELDS_TIAQ uint32_t id, uint32_t arg, uint32_t value
#define TBAND_FIELDS_TIAQP uint32_t id, uint32_t arg, uint32_t value, uint32_t address
#define TBAND_FIELDS_A uint32_t arg
#define TBAND_FIELDS_R uint64_t value
#define TBAND_FIELDS_RD uint64_t value, uint32_t divisor
#define TBAND_FIELDS_I uint32_t id
#define TBAND_FIELDS_IA uint32_t id, uint32_t arg
#define TBAND_FIELDS_IB uint32_t id, uint8_t arg
#define TBAND_FIELDS_IS uint32_t id, const char *text
#define TBAND_FIELDS_IAS uint32_t id, uint32_t arg, const char *text
#define TBAND_FIELDS_IAN uint32_t id, uint32_t arg

#define TBAND_NAMES_TI , id
#define TBAND_NAMES_TA , id
#define TBAND_NAMES_TIA , id, arg
#define TBAND_NAMES_TIS , id, text
#define TBAND_NAMES_TIV , id, value
#define TBAND_NAMES_T
#define TBAND_NAMES_TIQ , id, value
#define TBAND_NAMES_TIR , id, value
#define TBAND_NAMES_TIAQ , id, arg, value
#define TBAND_NAMES_TIAQP , id, arg, value, address
#define TBAND_NAMES_A , arg
#define TBAND_NAMES_R , value
#define TBAND_NAMES_RD , value, divisor
#define TBAND_NAMES_I , id
#define TBAND_NAMES_IA , id, arg
#define TBAND_NAMES_IB , id, arg
#define TBAND_NAMES_IS , id, text
#define TBAND_NAMES_IAS , id, arg, text
#define TBAND_NAMES_IAN , id, arg

/* 1: has a time, so that a group can be left out; names and facts are always kept. */
#define TBAND_TIMED_TI 1
#define TBAND_TIMED_TA 1
#define TBAND_TIMED_TIA 1
#define TBAND_TIMED_TIS 1
#define TBAND_TIMED_TIV 1
#define TBAND_TIMED_T 1
#define TBAND_TIMED_TIQ 1
#define TBAND_TIMED_TIR 1
#define TBAND_TIMED_TIAQ 1
#define TBAND_TIMED_TIAQP 1
#define TBAND_TIMED_A 0
#define TBAND_TIMED_R 0
#define TBAND_TIMED_RD 0
#define TBAND_TIMED_I 0
#define TBAND_TIMED_IA 0
#define TBAND_TIMED_IB 0
#define TBAND_TIMED_IS 0
#define TBAND_TIMED_IAS 0
#define TBAND_TIMED_IAN 0

/* Events of groups that tband_configGROUPS leaves out compile to nothing. */
#define TBAND_IS_COMPILED(fields, group) \
    (!TBAND_TIMED_##fields || (((group) & ((tband_configGROUPS) | TBAND_GROUP_SYSTEM)) != 0u))

#define TB_EVENT(event_id, name, group, fields, kind, field_names)                       \
    enum { TBAND_ID_##name = (event_id) };                                               \
    static inline void tband_event_##name(TBAND_FIELDS_##fields) {                       \
        if (TBAND_IS_COMPILED(fields, TBAND_GROUP_##group)) {                            \
            tband_record(fields, (event_id) | TBAND_GROUP_##group TBAND_NAMES_##fields); \
        }                                                                                \
    }
#include "../../spec/tonbandgeraet.def"
#undef TB_EVENT

#ifdef __cplusplus
}
#endif

#endif
