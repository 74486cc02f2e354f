# Run by cpack when all is installed below CPACK_TEMPORARY_INSTALL_DIRECTORY: what one kind of package has elsewhere or
# otherwise than the other. A tarball stays as `cmake --install` makes it.
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(doc ${usr}/share/doc/rdmastate)

function(compress)
  execute_process(COMMAND gzip -9n ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(lay_out_zsh folder)
  if(NOT CPACK_RDMASTATE_ZSH_FUNCTIONS STREQUAL "share/zsh/${folder}")
    file(MAKE_DIRECTORY ${usr}/share/zsh)
    file(RENAME ${usr}/${CPACK_RDMASTATE_ZSH_FUNCTIONS} ${usr}/share/zsh/${folder})
  endif()
endfunction()

if(CPACK_GENERATOR STREQUAL "DEB" OR CPACK_GENERATOR STREQUAL "RPM")
  compress(${usr}/share/man/man5/rdmastate.yaml.5 ${usr}/share/man/man8/rdmastate.8)
endif()
if(CPACK_GENERATOR STREQUAL "DEB")
  lay_out_zsh(vendor-completions)
  # Debian has the licence's text once for all packages.
  configure_file(${CPACK_RDMASTATE_PACKAGE}/deb/copyright ${doc}/copyright COPYONLY)
  file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, where that is set
  file(WRITE ${doc}/changelog.Debian
       "rdmastate (${CPACK_RDMASTATE_DEB_VERSION}) unstable; urgency=medium\n\n  * What changed: changelog.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  compress(${doc}/changelog ${doc}/changelog.Debian)
  configure_file(${CPACK_RDMASTATE_PACKAGE}/deb/lintian-overrides ${usr}/share/lintian/overrides/rdmastate COPYONLY)
elseif(CPACK_GENERATOR STREQUAL "RPM")
  lay_out_zsh(site-functions)
  file(MAKE_DIRECTORY ${usr}/share/licenses/rdmastate)
  file(RENAME ${doc}/copyright ${usr}/share/licenses/rdmastate/LICENSE)
endif()

# Whatever the umask is: CPack makes directories on the way, and what is written here, by that.
set(read_by_all OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(GLOB_RECURSE entries LIST_DIRECTORIES true ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
foreach(entry IN LISTS entries)
  if(IS_SYMLINK ${entry})
    continue()
  elseif(IS_DIRECTORY ${entry})
    file(CHMOD ${entry} PERMISSIONS ${read_by_all} OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)
  elseif(NOT entry MATCHES "/usr/bin/[^/]*$")
    file(CHMOD ${entry} PERMISSIONS ${read_by_all})
  endif()
endforeach()
# Whenever a file was made or checked out: RPM only takes later times back to it.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} ${entries} COMMAND_ERROR_IS_FATAL ANY)
endif()
