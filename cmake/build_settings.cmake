# Compiler settings shared by every target, kept in one interface target that is never exported.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)

# Without a preset: optimised, since an exhaustive search without optimisation is of no use.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()

find_program(SLOTLAB_CCACHE ccache)
if(SLOTLAB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SLOTLAB_CCACHE})
endif()
find_program(SLOTLAB_MOLD mold)
if(SLOTLAB_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_library(slotlab_settings INTERFACE)
target_compile_features(slotlab_settings INTERFACE cxx_std_20)
target_include_directories(slotlab_settings INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
target_compile_options(slotlab_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
  # With sanitizers g++ 12 warns of variables inside the standard library that it has itself
  # instrumented, so there warnings are not errors; the release build of these sources is the gate.
  $<$<AND:$<BOOL:${SLOTLAB_WERROR}>,$<NOT:$<BOOL:${SLOTLAB_SANITIZE}>>>:-Werror>
  # Optimised, GCC 12 sees overlapping copies in "a" + std::string (its bug 105651).
  $<$<AND:$<BOOL:${SLOTLAB_WERROR}>,$<CONFIG:Release>>:-Wno-error=restrict>
  # __FILE__ in asserts must not depend on where the checkout lies.
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(SLOTLAB_LIBRARY_CHECKS)
  target_compile_definitions(slotlab_settings INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(SLOTLAB_SANITIZE)
  target_compile_options(slotlab_settings INTERFACE -fsanitize=address,undefined
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(slotlab_settings INTERFACE -fsanitize=address,undefined)
endif()

# slotlab_library(<name> SOURCES a.cc ... LINKS lib ...)
function(slotlab_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  # Never exported: our warnings are nobody else's.
  target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:slotlab_settings> ${ARG_LINKS})
  if(SLOTLAB_CLANG_TIDY)
    find_program(SLOTLAB_CLANG_TIDY_EXE clang-tidy REQUIRED)
    set_target_properties(${name} PROPERTIES CXX_CLANG_TIDY "${SLOTLAB_CLANG_TIDY_EXE}")
  endif()
endfunction()
