# SPDX-License-Identifier: MIT
# tonkopf::tonkopf (shared) and tonkopf::static, which needs zlib.
include(CMakeFindDependencyMacro)
find_dependency(ZLIB)
include("${CMAKE_CURRENT_LIST_DIR}/tonkopf-targets.cmake")
