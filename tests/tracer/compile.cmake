# SPDX-License-Identifier: MIT
#
# cmake -DCC=... [-DCXX=...] -DROOT=... -DOUT=... -P compile.cmake: compiles the public headers and checks the compiler's messages.
file(MAKE_DIRECTORY "${OUT}")
set(includes "-I${ROOT}/tests/tracer/config" "-I${ROOT}/tracer/include")
set(warnings -Wall -Wextra -Wconversion -Wshadow -Werror)

# compile(NAME SOURCE ARGUMENT...): the object's path is ${OUT}/NAME.o, errors in `errors`.
function(compile name source)
  file(WRITE "${OUT}/${name}.c" "${source}")
  execute_process(COMMAND ${CC} -std=c11 ${includes} ${ARGN} -c "${OUT}/${name}.c" -o "${OUT}/${name}.o" RESULT_VARIABLE status ERROR_VARIABLE errors)
  set(status ${status} PARENT_SCOPE)
  set(errors "${errors}" PARENT_SCOPE)
endfunction()

function(expect_refusal_of header sentence)
  compile(refused "#include \"${header}\"\nint unused;\n" ${ARGN})
  if(status EQUAL 0 OR NOT errors MATCHES "${sentence}")
    message(SEND_ERROR "not refused with \"${sentence}\": ${ARGN}\n${errors}")
  endif()
endfunction()

function(expect_refusal sentence)
  expect_refusal_of(tband.h "${sentence}" ${ARGN})
endfunction()

expect_refusal("Choose one back end")
expect_refusal("Choose one back end" -DTEST_BACKEND_SNAPSHOT -DTEST_BACKEND_STREAMING)
expect_refusal("must be 0 to 226" -DTEST_BACKEND_EXTERNAL -Dtband_configMAX_STR_LEN=227)
expect_refusal("must be 15 or more" -DTEST_BACKEND_EXTERNAL -Dtband_configMAX_STR_LEN=14)
expect_refusal("must hold four frames" -DTEST_BACKEND_POST_MORTEM -Dtband_configMAX_STR_LEN=100)
expect_refusal("must hold two frames" -DTEST_BACKEND_SNAPSHOT -Dtband_configMAX_STR_LEN=200)
expect_refusal("must hold tband_configMETADATA_BUF_SIZE, two frames" -DTEST_BACKEND_STREAMING -Dtband_configMAX_STR_LEN=100)
expect_refusal("must be 1 to 255" -DTEST_BACKEND_EXTERNAL -DTEST_CORES=0)
expect_refusal("losses are reported where they happen" -DTEST_BACKEND_EXTERNAL -Dtband_configTRACE_DROP_CNT_EVERY=50)
expect_refusal("must be 0 \\(no tracing at all\\) or 1" -Dtband_configENABLE=2)
expect_refusal("set tband_configFREERTOS_TRACE_ENABLE in tband_config.h to 1" -DTEST_BACKEND_EXTERNAL -DconfigUSE_TRACE_FACILITY=1)
expect_refusal("set tband_configFREERTOS_TRACE_ENABLE in tband_config.h to 1" -DTEST_BACKEND_EXTERNAL -DconfigTICK_RATE_HZ=1000)
expect_refusal("set tband_configFREERTOS_TRACE_ENABLE in tband_config.h to 1" -DTEST_BACKEND_EXTERNAL "-I${ROOT}/tests/tracer/kernel")
foreach(hooks IN ITEMS 0 1)
  compile(hooks "#include \"tband.h\"\nint unused;\n" ${warnings} -DTEST_BACKEND_EXTERNAL "-I${ROOT}/tests/tracer/kernel" -Dtband_configFREERTOS_TRACE_ENABLE=${hooks})
  if(NOT status EQUAL 0)
    message(SEND_ERROR "tband_configFREERTOS_TRACE_ENABLE ${hooks}: ${errors}")
  endif()
endforeach()
foreach(setting IN ITEMS MEMORY_TRACE_ENABLE CLOCK_SYNC_ENABLE ISR_TRACE_ENABLE FREERTOS_QUEUE_TRACE_ENABLE USE_METADATA_BUF)
  expect_refusal("all that end with _ENABLE must be 0 or 1" -DTEST_BACKEND_EXTERNAL -Dtband_config${setting}=2)
endforeach()
expect_refusal_of(tband_link.h "sends streams: set tband_configUSE_BACKEND_STREAMING to 1" -DTEST_BACKEND_SNAPSHOT)
expect_refusal_of(tband_link.h "sends streams: set tband_configUSE_BACKEND_STREAMING to 1" -DTEST_BACKEND_STREAMING -DTEST_HAND_OVER)
# The clock: positive integer constants only.
set(recorder "${ROOT}/tracer/src/tband.c")
foreach(ns IN ITEMS 5.952 "1e9/168e6" "test_time()")
  expect_refusal_of("${recorder}" "RESOLUTION_NS must be an integer constant" -DTEST_BACKEND_EXTERNAL "-DTEST_NS=${ns}")
endforeach()
foreach(ns IN ITEMS 0 "(1000000000/2000000000)" "(-1)")
  expect_refusal_of("${recorder}" "RESOLUTION_NS must be 1 or more" -DTEST_BACKEND_EXTERNAL "-DTEST_NS=${ns}")
endforeach()
foreach(hz IN ITEMS 168e6 32768.5 "test_time()")
  expect_refusal_of("${recorder}" "CLOCK_HZ must be an integer constant" -DTEST_BACKEND_EXTERNAL "-DTEST_HZ=${hz}")
endforeach()
foreach(hz IN ITEMS 0 "(-1)" 4294967296)
  expect_refusal_of("${recorder}" "CLOCK_HZ must be 1 to 4294967295" -DTEST_BACKEND_EXTERNAL "-DTEST_HZ=${hz}")
endforeach()
expect_refusal_of("${recorder}" "CLOCK_DIVISOR must be an integer constant" -DTEST_BACKEND_EXTERNAL -DTEST_HZ=72000000 -DTEST_DIVISOR=1.5)
expect_refusal_of("${recorder}" "CLOCK_DIVISOR must be 1 to" -DTEST_BACKEND_EXTERNAL -DTEST_HZ=72000000 -DTEST_DIVISOR=0)
expect_refusal("room for the clock rate" -DTEST_BACKEND_EXTERNAL -DTEST_HZ=168000000 -Dtband_configMETADATA_BUF_SIZE=23)
foreach(hz IN ITEMS 1 32768 168000000 "(480*1000000u)" 4294967295)
  compile(rate "#include \"${recorder}\"\n" ${warnings} -DTEST_BACKEND_EXTERNAL "-DTEST_HZ=${hz}")
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${hz} Hz: ${errors}")
  endif()
endforeach()
foreach(transport IN ITEMS rtt transfer)
  set(source "${ROOT}/tracer/transports/tband_${transport}.c")
  expect_refusal_of("${source}" "a stream: set tband_configUSE_BACKEND_STREAMING to 1" -DTEST_BACKEND_POST_MORTEM)
  expect_refusal_of("${source}" "a stream: set tband_configUSE_BACKEND_STREAMING to 1" -DTEST_BACKEND_STREAMING -DTEST_HAND_OVER)
endforeach()
expect_refusal_of("${source}" "sends the stream of one core" -DTEST_BACKEND_STREAMING -DTEST_CORES=2)

foreach(backend IN ITEMS POST_MORTEM SNAPSHOT STREAMING EXTERNAL)
  foreach(level IN ITEMS -O0 -Os -O2)
    compile(library "#include \"${ROOT}/tracer/src/tband.c\"\n" ${warnings} ${level} -DTEST_BACKEND_${backend})
    if(NOT status EQUAL 0)
      message(SEND_ERROR "${backend} ${level}: ${errors}")
    endif()
  endforeach()
endforeach()

# Compilers without the built-in functions of GCC, such as IAR's, and with unaligned stores.
compile(portable "#include \"${ROOT}/tracer/src/tband.c\"\n" ${warnings} -Os -DTEST_BACKEND_POST_MORTEM -U__GNUC__ -D__ARM_FEATURE_UNALIGNED
        -D__builtin_memcpy=missing_memcpy -D__builtin_expect=missing_expect)
if(NOT status EQUAL 0)
  message(SEND_ERROR "without GCC's built-in functions: ${errors}")
endif()

# Tracing disabled: the same object as without the calls; with optimisation also as without the functions that start, read and send.
set(before "#include \"tband.h\"\n#include \"tband_clock.h\"\n#include \"tband_link.h\"\n#include \"tband_rtt.h\"\n#include \"tband_transfer.h\"\nint work(int n);\nint work(int n) {\n")
set(calls "    tband_isr_enter(1); tband_evtmarker(2, \"text\"); tband_valmarker(3, n); tband_fn_begin(4); tband_fn_end();
    tband_isr_name(1, \"name\"); tband_set_groups(0); tband_gather_system_metadata();
    tband_allocated(1, &n, 4, 4); tband_freed(1, &n, 4, 0); tband_heap_level(1, 0); tband_stack_free(1, 9); tband_clock_own(1, 2); tband_clock_sync(0, tband_now());
    tband_start_streaming(); tband_restart_streaming(); tband_stop_streaming(); tband_trigger_snapshot(); tband_stop_snapshot(); tband_reset_snapshot();
    tband_start_post_mortem(); tband_stop_post_mortem();\n")
set(rest "    static struct tband_link link;
    const uint8_t *bytes;
    size_t len;
    tband_record_resolution(); tband_clock_update(7);
    tband_rtt_start(); tband_rtt_pump(); tband_transfer_pump(); tband_transfer_done();
    if (tband_tracing_enabled() || !tband_tracing_finished() || !tband_tracing_backend_finished(0) || tband_post_mortem_found()) n++;
    if (tband_get_groups() || tband_get_dropped() || tband_get_metadata_lost(0)) n++;
    for (; (len = tband_stream_peek(0, &bytes)) != 0; tband_stream_consume(0, len)) n += bytes[0];
    for (; (len = tband_link_peek(&link, &bytes)) != 0; tband_link_consume(&link, len)) n += bytes[0];
    for (unsigned piece = 0; piece < 3; piece++)
        for (bytes = tband_get_post_mortem_piece(0, piece, &len); len--;) n += *bytes++;
    for (len = tband_get_metadata_buf_amnt(0); len--;) n += tband_get_metadata_buf(0)[len];
    for (len = tband_get_core_snapshot_buf_amnt(0); len--;) n += tband_get_core_snapshot_buf(0)[len];\n")
set(after "    return n + 1;\n}\n")

# Compares objects of the same name, because they contain their names.
function(expect_nothing_left level what)
  compile(same "${before}${what}${after}" ${level} ${warnings} -Dtband_configENABLE=0 "-I${ROOT}/tracer/transports")
  if(NOT status EQUAL 0)
    message(SEND_ERROR "compiled out, ${level}: ${errors}")
  endif()
  file(SHA256 "${OUT}/same.o" with_calls)
  compile(same "${before}${after}" ${level} -Dtband_configENABLE=0 "-I${ROOT}/tracer/transports")
  file(SHA256 "${OUT}/same.o" without_calls)
  if(NOT with_calls STREQUAL without_calls)
    message(SEND_ERROR "${level}: the calls leave something behind although tband_configENABLE is 0")
  endif()
endfunction()

foreach(level IN ITEMS -O0 -Os -O2)
  expect_nothing_left(${level} "${calls}")
endforeach()
foreach(level IN ITEMS -Os -O2)
  expect_nothing_left(${level} "${calls}${rest}")
endforeach()
foreach(part IN ITEMS src/tband.c transports/tband_rtt.c transports/tband_transfer.c)
  compile(nothing "#include \"${ROOT}/tracer/${part}\"\nextern int unused;\n" ${warnings} -Dtband_configENABLE=0 "-I${ROOT}/tracer/transports")
  if(NOT status EQUAL 0)
    message(SEND_ERROR "compiled out, ${part}: ${errors}")
  endif()
endforeach()

# C++: no warnings, also about casts, with ids of one byte.
set(ids "#include \"tband.h\"\n#include \"tband_clock.h\"\nvoid work(uint8_t id, const char *text, const uint8_t *bytes);
void work(uint8_t id, const char *text, const uint8_t *bytes) {
    tband_isr_name(id, text); tband_isr_enter(id); tband_isr_exit(id); tband_set_isr_recorded(id, true);
    tband_evtmarker_name(id, text); tband_evtmarker(id, text); tband_evtmarker_begin(id, text); tband_evtmarker_end(id);
    tband_fn(id); tband_fn_begin(id); tband_fn_end(); tband_valmarker_name(id, text); tband_valmarker(id, id); tband_valmarker(id, -3);
    tband_heap_name(id, text); tband_heap_level(id, id); tband_stack_name(id, text); tband_stack_free(id, id);
    tband_allocated(id, &id, sizeof id, id); tband_freed(id, &id, sizeof id, id); tband_allocation_failed(id, sizeof id);
    tband_clock_own(id, id); tband_clock_sync(id, tband_now()); tband_clock_update(id);
    tband_freertos_task_evtmarker_name(id, text); tband_freertos_task_evtmarker(id, text); tband_freertos_task_evtmarker_begin(id, text);
    tband_freertos_task_evtmarker_end(id); tband_freertos_task_valmarker_name(id, text); tband_freertos_task_valmarker(id, id);
    tband_freertos_queue_name(&id, text); tband_freertos_stack(nullptr); tband_freertos_scheduler_started();
    tband_set_groups(TBAND_GROUPS_ALL & ~TBAND_GROUP_QUEUES);
    if (tband_command(text) == TBAND_NO_COMMAND) tband_receive(bytes, id);
    if (tband_start_post_mortem() || tband_stop_post_mortem() || !tband_post_mortem_found()) tband_gather_system_metadata();
}\n")
set(link "#include \"tband_link.h\"\nvoid send();
void send() {
    static tband_link link;
    const uint8_t *bytes;
    tband_link_consume(&link, tband_link_peek(&link, &bytes));
    tband_clock_sync(0, tband_now());
}\n")
set(everything -Dtband_configISR_FILTER_ENABLE=1 -Dtband_configCOMMANDS_ENABLE=1 -Dtband_configFREERTOS_TRACE_ENABLE=1)

# compile_cpp(COMPILER SOURCE ARGUMENT...)
function(compile_cpp compiler source)
  file(WRITE "${OUT}/application.cpp" "${source}")
  execute_process(COMMAND ${compiler} -std=c++17 ${warnings} -Wold-style-cast ${includes} "-I${ROOT}/tracer/transports" ${ARGN}
                          -c "${OUT}/application.cpp" -o "${OUT}/application.o" RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${compiler} ${ARGN}: ${errors}")
  endif()
endfunction()

foreach(compiler IN ITEMS ${CXX} ${CLANG_CXX})
  compile_cpp(${compiler} "${ids}" -DTEST_BACKEND_POST_MORTEM ${everything})
  compile_cpp(${compiler} "${ids}" -Dtband_configENABLE=0 -Wno-unused-parameter)
  compile_cpp(${compiler} "${link}" -DTEST_BACKEND_STREAMING -DTEST_CORES=2)
  compile_cpp(${compiler} "${before}${calls}${rest}${after}" -Dtband_configENABLE=0)
endforeach()
if(NOT CXX AND NOT CLANG_CXX)
  message("skipped: C++17, no C++ compiler")
endif()
