# How `make` builds llama.cpp: cmake reads this file (CMAKE_PROJECT_llama.cpp_INCLUDE) where llama.cpp's project begins.
# llama.cpp's "common" library and what only it needs are for its own programs; the Python binding uses none of it, but
# builds it. Leaving it out, and the multimodal part (LLAVA_BUILD=OFF), halves the work.
function(triplewise_leave_out)
  foreach(unused llama-common llama-common-base cpp-httplib)
    if(TARGET ${unused})
      set_target_properties(${unused} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL triplewise_leave_out)
