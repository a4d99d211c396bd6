# SPDX-License-Identifier: MIT
# tonkopf::tonkopf (shared) and tonkopf::static.
include("${CMAKE_CURRENT_LIST_DIR}/tonkopf-targets.cmake")
