# SPDX-License-Identifier: MIT
# cmake -DFOLDER=core -DSETTINGS=... -DOUT=build_id.h -P build_id.cmake: writes TK_BUILD_ID, a hash of the sources and the settings of the compiler.
# Builds with different ids may lay out the memory of a handle differently.
set(core "${FOLDER}/core")
set(wasm "${FOLDER}/wasm")
file(GLOB_RECURSE sources "${core}/*.c" "${core}/*.h" "${core}/*.def" "${core}/*.proto" "${core}/*.options"
  "${wasm}/*.c" "${wasm}/*.h" "${wasm}/exports.txt" "${wasm}/CMakeLists.txt")
list(SORT sources)
set(sums "${SETTINGS}")
foreach(source IN LISTS sources)
  file(SHA256 "${source}" sum)
  string(APPEND sums "${sum}")
endforeach()
string(SHA256 sum "${sums}")
string(SUBSTRING "${sum}" 0 16 sum)
file(WRITE "${OUT}" "#define TK_BUILD_ID 0x${sum}u\n")
