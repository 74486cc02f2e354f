# What `cpack -G DEB`, `RPM` and `TGZ` make of the install tree. libkmod, libsystemd and (for `show` alone) libibverbs are
# opened on first use, so no tool finds them: they stand here. With SOURCE_DATE_EPOCH the same source makes the same bytes.
set(package ${CMAKE_CURRENT_SOURCE_DIR}/package)
set(RDMASTATE_SUMMARY "one-shot agent that configures an RDMA host from one YAML file")
set(CPACK_PACKAGE_VENDOR "rdmastate")
set(CPACK_PACKAGE_CONTACT "rdmastate maintainers <rdmastate@example.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${RDMASTATE_SUMMARY})
set(CPACK_PACKAGE_DESCRIPTION "rdmastate reads one YAML or JSON file with the RDMA configuration of a host,\nshows how the host differs from it, and changes the host now and for the next\nboot: IPoIB interfaces and partitions, RoCE ports, kernel modules, limits for\npinned memory, NFS over RDMA and OpenSM. A second run touches nothing.")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR ON)  # or the tarball's /etc would be this machine's
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)  # whatever the umask is
set(CPACK_PRE_BUILD_SCRIPTS ${package}/settle.cmake)
set(CPACK_RDMASTATE_PACKAGE ${package})
set(CPACK_RDMASTATE_ZSH_FUNCTIONS ${RDMASTATE_ZSH_FUNCTIONS})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_RDMASTATE_DEB_VERSION ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Of the C library: what tests/package/cases/binary.py holds the published binary to, or what this machine has.
if(RDMASTATE_SYSROOT)
  set(glibc 2.28)
else()
  execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE glibc OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "^glibc " "" glibc "${glibc}")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${glibc}), libkmod2, libsystemd0")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libibverbs1, ibverbs-providers")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${package}/deb/postinst ${package}/deb/prerm ${package}/deb/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE Apache-2.0)
set(CPACK_RPM_PACKAGE_SUMMARY "One-shot agent that configures an RDMA host from one YAML file")
set(CPACK_RPM_PACKAGE_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION})
set(CPACK_RPM_COMPRESSION_TYPE xz)
# By their names as libraries, which RHEL and SUSE package differently.
set(CPACK_RPM_PACKAGE_REQUIRES "libkmod.so.2()(64bit), libsystemd.so.0()(64bit)")
set(CPACK_RPM_PRE_UNINSTALL_SCRIPT_FILE ${package}/rpm/preun)
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
    /etc /usr/lib/systemd /usr/lib/systemd/system /usr/lib/systemd/system/multi-user.target.wants /usr/lib/udev /usr/lib/udev/rules.d
    /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/doc /usr/share/fish /usr/share/fish/vendor_completions.d
    /usr/share/licenses /usr/share/man /usr/share/man/man5 /usr/share/man/man8 /usr/share/zsh /usr/share/zsh/site-functions)
# Suggests stands here since CPack 3.25 drops CPACK_RPM_PACKAGE_SUGGESTS without a word: it asks a program that it has not looked for.
set(CPACK_RPM_SPEC_MORE_DEFINE
    "Suggests: libibverbs.so.1()(64bit)\n%define _buildhost reproducible\n%define use_source_date_epoch_as_buildtime 1\n%define clamp_mtime_to_source_date_epoch 1\n%define _build_id_links none")
include(CPack)
