# SPDX-License-Identifier: MIT
#
# Interface libraries of the recorder. Its sources are compiled into the program that links them, with that program's tband_config.h and
# tband_port.h.
#   tonkopf-tracer           the recorder
#   tonkopf-tracer-freertos  the recorder with the trace hooks of FreeRTOS
#   tonkopf-tracer-headers   headers only, for libraries that include them: the kernel
#   tonkopf-tracer-cortex-m  tband_cortex_m.h and tband_systick.h, for a tband_port.h of your own
#   tonkopf-tracer-riscv     tband_riscv.h, for a tband_port.h of your own
#   tonkopf-tracer-xtensa    tband_xtensa.h, for a tband_port.h of your own
#   tonkopf-tracer-host      a complete port for POSIX
#   tonkopf-tracer-freertos-posix  a complete port for the POSIX port of FreeRTOS
#   tonkopf-tracer-rtt       a stream through RTT
#   tonkopf-tracer-transfer  a stream over a link with DMA or USB
#   tonkopf-tracer-itm       tband_itm.h
if(NOT DEFINED tonkopf_tracer_root)
  get_filename_component(tonkopf_tracer_root "${CMAKE_CURRENT_LIST_DIR}/../tracer" ABSOLUTE) # installed layout
endif()

if(NOT TARGET tonkopf-tracer)
  add_library(tonkopf-tracer-headers INTERFACE)
  target_include_directories(tonkopf-tracer-headers INTERFACE "${tonkopf_tracer_root}/include")

  add_library(tonkopf-tracer INTERFACE)
  target_sources(tonkopf-tracer INTERFACE "${tonkopf_tracer_root}/src/tband.c")
  target_link_libraries(tonkopf-tracer INTERFACE tonkopf-tracer-headers)

  add_library(tonkopf-tracer-freertos INTERFACE)
  target_sources(tonkopf-tracer-freertos INTERFACE "${tonkopf_tracer_root}/src/tband_freertos.c")
  target_link_libraries(tonkopf-tracer-freertos INTERFACE tonkopf-tracer)

  add_library(tonkopf-tracer-cortex-m INTERFACE)
  target_include_directories(tonkopf-tracer-cortex-m INTERFACE "${tonkopf_tracer_root}/ports/cortex-m")

  add_library(tonkopf-tracer-riscv INTERFACE)
  target_include_directories(tonkopf-tracer-riscv INTERFACE "${tonkopf_tracer_root}/ports/riscv")

  add_library(tonkopf-tracer-xtensa INTERFACE)
  target_include_directories(tonkopf-tracer-xtensa INTERFACE "${tonkopf_tracer_root}/ports/xtensa")

  add_library(tonkopf-tracer-host INTERFACE)
  target_sources(tonkopf-tracer-host INTERFACE "${tonkopf_tracer_root}/ports/host/tband_host.c")
  target_include_directories(tonkopf-tracer-host INTERFACE "${tonkopf_tracer_root}/ports/host")
  target_link_libraries(tonkopf-tracer-host INTERFACE tonkopf-tracer)

  add_library(tonkopf-tracer-freertos-posix INTERFACE)
  target_sources(tonkopf-tracer-freertos-posix INTERFACE "${tonkopf_tracer_root}/ports/freertos-posix/tband_freertos_posix.c")
  target_include_directories(tonkopf-tracer-freertos-posix INTERFACE "${tonkopf_tracer_root}/ports/freertos-posix")
  target_link_libraries(tonkopf-tracer-freertos-posix INTERFACE tonkopf-tracer-freertos)

  add_library(tonkopf-tracer-itm INTERFACE)
  target_include_directories(tonkopf-tracer-itm INTERFACE "${tonkopf_tracer_root}/transports")
  foreach(transport IN ITEMS rtt transfer)
    add_library(tonkopf-tracer-${transport} INTERFACE)
    target_sources(tonkopf-tracer-${transport} INTERFACE "${tonkopf_tracer_root}/transports/tband_${transport}.c")
    target_include_directories(tonkopf-tracer-${transport} INTERFACE "${tonkopf_tracer_root}/transports")
    target_link_libraries(tonkopf-tracer-${transport} INTERFACE tonkopf-tracer)
  endforeach()
endif()
unset(tonkopf_tracer_root)
