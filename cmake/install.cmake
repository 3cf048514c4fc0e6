# What `cmake --install` puts where: the program with its manual page and completion, the scenarios,
# and the libraries with their headers as the CMake package `slotlab`. CPack makes a .deb of it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS slotlab RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/slotlab)
install(FILES cli/man/slotlab.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES cli/man/slotlab.bash RENAME slotlab
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Our includes stay "sim/..." and "models/..." below a folder of our own, so they collide with
# nobody.
set(SLOTLAB_INCLUDES ${CMAKE_INSTALL_INCLUDEDIR}/slotlab)
install(DIRECTORY sim models DESTINATION ${SLOTLAB_INCLUDES} FILES_MATCHING PATTERN "*.h")
foreach(room sim protocol node client operator properties scenario textbook)
  set_target_properties(slotlab_${room} PROPERTIES EXPORT_NAME ${room})
  target_include_directories(slotlab_${room} INTERFACE $<INSTALL_INTERFACE:${SLOTLAB_INCLUDES}>)
  target_compile_features(slotlab_${room} PUBLIC cxx_std_20)
  install(TARGETS slotlab_${room} EXPORT slotlab ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
set(SLOTLAB_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/slotlab)
install(EXPORT slotlab NAMESPACE slotlab:: FILE slotlab-targets.cmake
        DESTINATION ${SLOTLAB_PACKAGE})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/slotlab-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/slotlab-config.cmake ${PROJECT_BINARY_DIR}/slotlab-config-version.cmake
        DESTINATION ${SLOTLAB_PACKAGE})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME slotlab)
set(CPACK_PACKAGE_CONTACT "the Slotlab authors <slotlab@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_STRIP_FILES ON)
include(CPack)
