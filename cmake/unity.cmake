# purl_unity(target): compiles the target's sources as one translation unit per folder. Parsing the headers once a folder
# instead of once a file builds three times as fast; -DPURL_UNITY=OFF compiles each file by itself, which rebuilds
# faster after a change to one file. Functions and constants that are local to a file need names that are unique in
# their folder.
option(PURL_UNITY "Compile one translation unit per folder" ON)

function(purl_unity target)
  if(NOT PURL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ takes the sources for headers, and warns of types there that have members of anonymous namespaces.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(source ${source} ABSOLUTE)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    get_filename_component(folder ${path} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
