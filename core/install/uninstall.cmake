# SPDX-License-Identifier: MIT
# Removes what the last installation of this build wrote.
if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "nothing was installed from this build: ${MANIFEST} is missing")
endif()
file(STRINGS "${MANIFEST}" files)
foreach(file IN LISTS files)
  file(REMOVE "$ENV{DESTDIR}${file}")
  message(STATUS "removed $ENV{DESTDIR}${file}")
endforeach()
