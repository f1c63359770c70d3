# How `make` builds llama.cpp: cmake reads this file (CMAKE_PROJECT_llama.cpp_INCLUDE) where llama.cpp's project begins.
# It halves the compile time, on 2 cores from more than four minutes to two, and leaves what computes as it is.

# The "common" library is for llama.cpp's own programs; the Python binding uses none of it. The binding asks for it by a
# cache variable, which this one hides.
set(LLAMA_BUILD_COMMON OFF)

function(triplewise_less_to_compile)
  # Most of a file's time goes into the headers that all of them include: sixteen are compiled as one, as the models are.
  get_target_property(files llama SOURCES)
  list(FILTER files INCLUDE REGEX "^(llama|unicode).*cpp$")
  list(TRANSFORM files PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/src/")
  set_source_files_properties(${files} TARGET_DIRECTORY llama PROPERTIES SKIP_UNITY_BUILD_INCLUSION OFF)
  # These libraries set the computation up; what multiplies matrices is in ggml-cpu and ggml-base's C files.
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    foreach(target llama ggml ggml-base)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
    endforeach()
  endif()
endfunction()
cmake_language(DEFER CALL triplewise_less_to_compile)
