# The CMake package: targets slotlab::sim (the engine) and slotlab::protocol, ::node, ::operator,
# ::properties, ::scenario, ::textbook (the models on it).
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(Boost 1.81)
find_dependency(fmt 9)
find_dependency(yaml-cpp)
include("${CMAKE_CURRENT_LIST_DIR}/slotlab-targets.cmake")
