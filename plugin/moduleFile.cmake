# Writes purl.mod, with a block for every year and platform in purl/plug-ins. Run by cmake --install; needs PURL_VERSION.
set(folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
file(GLOB plugins RELATIVE ${folder}/purl/plug-ins ${folder}/purl/plug-ins/*/*)
set(module "")
foreach(plugin IN LISTS plugins)
  if(plugin MATCHES "^(20[0-9][0-9])/(linux|win64|mac)$")
    string(APPEND module "+ MAYAVERSION:${CMAKE_MATCH_1} PLATFORM:${CMAKE_MATCH_2} Purl ${PURL_VERSION} ./purl\n"
      "plug-ins: plug-ins/${plugin}\nMAYA_CUSTOM_TEMPLATE_PATH+:=templates\n\n")
  endif()
endforeach()
if(module STREQUAL "")
  # Scripts, icons and presets for a purl.so that is loaded from elsewhere.
  set(module "+ Purl ${PURL_VERSION} ./purl\nMAYA_CUSTOM_TEMPLATE_PATH+:=templates\n\n")
endif()
file(WRITE ${folder}/purl.mod "${module}")
message(STATUS "Installing: ${folder}/purl.mod")
