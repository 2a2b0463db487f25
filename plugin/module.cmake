# The module as Maya takes it: purl.mod with a block for every year and platform, scripts, icons, presets and node editor templates.
#     cmake --install build/release --component maya --prefix ~/maya/modules/purl
set(PURL_MAYA_YEARS 2016 2018 2019 2020 2022 2023 2024 2025 2026 2027)
set(module "")
foreach(year IN LISTS PURL_MAYA_YEARS)
  foreach(platform linux win64 mac)
    string(APPEND module "+ MAYAVERSION:${year} PLATFORM:${platform} Purl ${PROJECT_VERSION} ./\n"
      "plug-ins: plug-ins/${year}/${platform}\nMAYA_CUSTOM_TEMPLATE_PATH+:=templates\n\n")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/purl.mod CONTENT "${module}" @ONLY)
set(maya COMPONENT maya EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/purl.mod DESTINATION . ${maya})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/mel/ DESTINATION scripts ${maya} FILES_MATCHING PATTERN *.mel)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/icons/ DESTINATION icons ${maya} FILES_MATCHING PATTERN *.png PATTERN svg EXCLUDE)
if(PURL_APP)
  # Presets and templates are asked of the program: they are declared where the materials and attributes are.
  install(CODE "execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/scripts/mayaFiles\" \"${CMAKE_BINARY_DIR}/app/purl\"
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" COMMAND_ERROR_IS_FATAL ANY)" ${maya})
endif()
